import Synchronization
import Waiting

/// An answer that is given once and that many may wait for; each of them can stop waiting alone.
final class SharedAnswer<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, IdentityError>

    private let known = Mutex<Outcome?>(nil)
    private let waiters = WaiterList<Outcome>()

    /// Gives the answer; false when there is one already, which then stays.
    @discardableResult
    func settle(_ outcome: Outcome) -> Bool {
        let isFirst = known.withLock { known in
            guard known == nil else { return false }
            known = outcome
            return true
        }
        if isFirst { waiters.wakeAll(outcome) }
        return isFirst
    }

    /// Waits for the answer.
    ///
    /// - Throws: what `settle` was given, or `canceled` when the waiting task is cancelled before.
    func value() async throws(IdentityError) -> Value {
        let outcome = await waiters.waitUnlessCancelled(unless: { known.withLock { $0 } })
        return try (outcome ?? .failure(IdentityError(.canceled))).get()
    }
}
