import Synchronization

/// One life of a supervisor, which ends at the step that its order says.
///
/// Each thing that a supervisor does outside itself passes here first. After the end nothing passes: a killed process says
/// nothing more either.
final class SupervisorLife: Sendable {
    struct Killed: Error {}

    private struct State {
        /// How many steps it has left; nil: it is not killed.
        var left: Int?
        /// The step at which it ended.
        var last: String?
        var nextWaiter = 0
        var waiters: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>
    private let atEnd: @Sendable () -> Void

    /// - Parameters:
    ///   - step: At which of its steps it ends, counted from 1; nil: at none.
    ///   - atEnd: Called at that very step.
    init(until step: Int? = nil, atEnd: @escaping @Sendable () -> Void = {}) {
        state = Mutex(State(left: step))
        self.atEnd = atEnd
    }

    var isOver: Bool { lastStep != nil }
    /// Nil while it goes on.
    var lastStep: String? { state.withLock(\.last) }

    /// Whether it comes further than this step.
    func passes(_ step: @autoclosure () -> String) -> Bool {
        let isEnd = state.withLock { state in
            guard state.last == nil, let left = state.left else { return false }
            state.left = left - 1
            return left == 1
        }
        if isEnd { end(at: step()) }
        return !isOver
    }

    private func end(at step: String) {
        atEnd()
        let waiters = state.withLock { state in
            state.last = state.last ?? step
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter() }
    }

    /// Registers a caller that waits for this life; `killed` is called at its end, or at once if it has ended.
    func wait(_ killed: @escaping @Sendable () -> Void) -> Int? {
        let number: Int? = state.withLock { state in
            guard state.last == nil else { return nil }
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = killed
            return state.nextWaiter
        }
        if number == nil { killed() }
        return number
    }

    /// Whether that caller still waited.
    func stopWaiting(_ number: Int) -> Bool { state.withLock { $0.waiters.removeValue(forKey: number) != nil } }
}
