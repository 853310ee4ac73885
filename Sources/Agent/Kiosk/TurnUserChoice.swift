import LinuxSystem
import Processes
import Synchronization
import TurnControl
import Waiting

/// As which turn user a browser or an app is started. batond says so, and it alone: what an agent remembered could be another turn's.
final class TurnUserChoice: Sendable {
    private struct State {
        var isNeeded = false
        /// Of the turn that runs.
        var current: TurnNumber?
        /// Of the one after it.
        var next: TurnNumber?

        var known: TurnNumber? { current ?? next }
    }

    private let state = Mutex(State())
    private let waiters = WaiterList<TurnNumber>()

    /// - Parameter isNeeded: False: browsers run as the agent's own user.
    func configure(isNeeded: Bool) { state.withLock { $0.isNeeded = isNeeded } }

    /// batond says anew who comes next.
    func forgetNext() { change { $0.next = nil } }

    func prepare(_ number: TurnNumber) { change { $0.next = number } }

    /// - Parameter number: Nil: an older batond has begun the turn, without a user for it.
    func begin(_ number: TurnNumber?) {
        change {
            $0.current = number
            if $0.next == number { $0.next = nil }
        }
    }

    /// The turn's end was asked for: nothing starts as its user any more.
    func end() { change { $0.current = nil } }

    private func change(_ change: (inout State) -> Void) {
        let known = state.withLock { state in
            change(&state)
            return state.known
        }
        if let known { waiters.wakeAll(known) }
    }

    /// Of the turn that runs, and of the one after it.
    var all: [TurnNumber] { state.withLock { [$0.current, $0.next].compactMap(\.self) } }

    /// Nil: the agent's own.
    ///
    /// - Throws: If batond has not said whose within that time.
    func user(within limit: Duration) async throws(LaunchFault) -> TurnNumber? {
        guard state.withLock(\.isNeeded) else { return nil }
        let (answers, answer) = AsyncStream.makeStream(of: TurnNumber.self)
        let waiting = Task { [waiters, self] in
            let known = await waiters.waitUnlessCancelled(unless: { state.withLock(\.known) })
            if let known { answer.yield(known) }
        }
        defer { waiting.cancel() }
        guard let number = await answers.first(within: limit) else {
            throw .failed("batond has not said as which turn user it runs")
        }
        return number
    }

    /// Of the turn that runs, for its apps. Nil: the agent's own.
    ///
    /// - Throws: If batond has begun the turn without one.
    func userOfTurn() throws(LaunchFault) -> TurnNumber? {
        let (isNeeded, current) = state.withLock { ($0.isNeeded, $0.current) }
        guard isNeeded else { return nil }
        guard let current else { throw .failed("batond has not said as which turn user it runs") }
        return current
    }
}
