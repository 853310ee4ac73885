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
        /// A turn goes on, or what runs of it has not ended: nothing is started as the next one's user but what stands by.
        var isBeside = false

        var known: TurnNumber? { current ?? (isBeside ? nil : next) }
    }

    private let state = Mutex(State())
    private let waiters = WaiterList<TurnNumber>()

    /// - Parameter isNeeded: False: browsers run as the agent's own user.
    func configure(isNeeded: Bool) { state.withLock { $0.isNeeded = isNeeded } }

    /// Whether what runs in a turn runs as a user of the turn's own.
    var areNeeded: Bool { state.withLock(\.isNeeded) }

    /// batond says anew who comes next.
    func forgetNext() { change { $0.next = nil } }

    /// - Parameter isBeside: While a turn goes on.
    func prepare(_ number: TurnNumber, beside isBeside: Bool = false) {
        change { ($0.next, $0.isBeside) = (number, isBeside) }
    }

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

    /// Whose programs the display lets in. Not the next one's beside a worker: on X11 a program of the worker's could reach it.
    var onDisplay: TurnNumber? { state.withLock(\.known) }

    /// Of the turn after the one that runs; nil: the agent's own, or batond has not said.
    var next: TurnNumber? { state.withLock { $0.isNeeded ? $0.next : nil } }

    /// As whom a browser would be started now; nil: as the agent's own, or batond has not said.
    var wanted: TurnNumber? { state.withLock { $0.isNeeded ? $0.known : nil } }

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
