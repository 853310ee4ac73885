package import SessionMachine
package import Vocabulary

/// Calls that wait for the machine's answer, which comes as an effect.
extension Supervisor {
    /// Puts a call's event into the mailbox and waits for its answer. Leaving does not take the event back.
    package func ask(_ make: (Call) -> Event.Kind) async -> Answer {
        await withCheckedContinuation { continuation in
            ask(make) { continuation.resume(returning: $0) }
        }
    }

    /// The same for who is on the bus thread already: `then` is called there, with no change of thread in between, which
    /// a task that waits would cost twice.
    package func ask(_ make: (Call) -> Event.Kind, then: @escaping @Sendable (Answer) -> Void) {
        nextCall = nextCall.next
        let call = nextCall
        let kind = make(call)
        answers[call] = then
        post(kind)
    }
}
