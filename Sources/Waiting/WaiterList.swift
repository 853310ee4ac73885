import Synchronization

/// Tasks that wait, in the order in which they came, for what another task brings about.
///
/// Publish a change first, then wake. A task looks at what is published (`unless`) under the lock that waking takes, so it
/// sees the change or is woken for it. Each task is woken once, by whatever comes first; nothing is kept for one that comes
/// later.
package final class WaiterList<Value: Sendable>: Sendable {
    /// Where a task stands in the list, for what wakes that task alone.
    package struct Place: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private enum Waiter {
        case steady(CheckedContinuation<Value, Never>)
        case cancellable(CheckedContinuation<Value?, Never>)

        var isCancellable: Bool { if case .cancellable = self { true } else { false } }

        func wake(_ value: Value) {
            switch self {
            case .steady(let continuation): continuation.resume(returning: value)
            case .cancellable(let continuation): continuation.resume(returning: value)
            }
        }

        func cancel() {
            if case .cancellable(let continuation) = self { continuation.resume(returning: nil) }
        }
    }

    private struct State {
        var waiters: [(place: Place, waiter: Waiter)] = []
        var lastNumber: UInt64 = 0
    }

    private enum Entry {
        case known(Value)
        case cancelled
        case waits
    }

    private let state = Mutex(State())

    package init() {}

    package var count: Int { state.withLock { $0.waiters.count } }

    /// Waits until it is woken. A cancellation does not end the wait, for what must not go on without its answer.
    ///
    /// Called on an actor, it enters the list without leaving that actor.
    ///
    /// - Parameters:
    ///   - known: The answer if it is there already; nil: it is not. It must not use this list.
    ///   - enrolled: Called when the task is in the list: the place to start a time limit, which then finds it there.
    package func wait(
        isolation: isolated (any Actor)? = #isolation, unless known: () -> Value? = { nil },
        enrolled: (Place) -> Void = { _ in }
    ) async -> Value {
        let place = newPlace()
        return await withCheckedContinuation(isolation: isolation) { continuation in
            enter(place, .steady(continuation), unless: known, enrolled)
        }
    }

    /// The same for a task that stops waiting when it is cancelled; it leaves the list then.
    ///
    /// - Returns: Nil if it was cancelled first.
    package func waitUnlessCancelled(
        isolation: isolated (any Actor)? = #isolation, unless known: () -> Value? = { nil },
        enrolled: (Place) -> Void = { _ in }
    ) async -> Value? {
        let place = newPlace()
        return await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: isolation) { continuation in
                    enter(place, .cancellable(continuation), unless: known, enrolled)
                }
            }, onCancel: { take(place)?.cancel() }, isolation: isolation)
    }

    package func wakeAll(_ value: Value) {
        let woken = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for each in woken { each.waiter.wake(value) }
    }

    /// Wakes the task that has waited longest.
    ///
    /// - Parameter noWaiter: Called if no task waits, and before one can begin to. It must not use this list.
    package func wakeFirst(_ value: Value, otherwise noWaiter: () -> Void = {}) {
        let first = state.withLock { state -> Waiter? in
            if state.waiters.isEmpty {
                noWaiter()
                return nil
            }
            return state.waiters.removeFirst().waiter
        }
        first?.wake(value)
    }

    /// Wakes the task in that place, if it still waits.
    package func wake(_ place: Place, _ value: Value) { take(place)?.wake(value) }

    private func newPlace() -> Place {
        state.withLock { state in
            state.lastNumber &+= 1
            return Place(number: state.lastNumber)
        }
    }

    private func enter(_ place: Place, _ waiter: Waiter, unless known: () -> Value?, _ enrolled: (Place) -> Void) {
        let entry = state.withLock { state -> Entry in
            if let value = known() { return .known(value) }
            // Looked at under the lock that the cancellation takes: one of both sees the other.
            if waiter.isCancellable, Task.isCancelled { return .cancelled }
            state.waiters.append((place, waiter))
            return .waits
        }
        switch entry {
        case .known(let value): waiter.wake(value)
        case .cancelled: waiter.cancel()
        case .waits: enrolled(place)
        }
    }

    private func take(_ place: Place) -> Waiter? {
        state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.place == place }) else { return nil }
            return state.waiters.remove(at: index).waiter
        }
    }
}

extension WaiterList where Value == Void {
    package func wakeAll() { wakeAll(()) }

    package func wake(_ place: Place) { wake(place, ()) }
}
