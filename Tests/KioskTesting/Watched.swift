import Synchronization

/// A state whose changes tests wait for.
final class Watched<State: Sendable>: Sendable {
    private struct Inner {
        var state: State
        /// Each says whether it is done; the flag says that its task was cancelled.
        var checks: [UInt64: @Sendable (State, Bool) -> Bool] = [:]
        var next: UInt64 = 0
    }

    private let inner: Mutex<Inner>

    init(_ state: State) { inner = Mutex(Inner(state: state)) }

    @discardableResult
    func change<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
        inner.withLock { inner in
            let result = body(&inner.state)
            let state = inner.state
            inner.checks = inner.checks.filter { !$0.value(state, false) }
            return result
        }
    }

    func read<Result: Sendable>(_ body: @Sendable (State) -> Result) -> Result { inner.withLock { body($0.state) } }

    /// Waits until `check` gives a value. The caller's task brings the time limit: cancelled, this throws.
    func wait<Value: Sendable>(_ check: @escaping @Sendable (State) -> Value?) async throws -> Value {
        let id = inner.withLock { inner in
            inner.next += 1
            return inner.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let attempt: @Sendable (State, Bool) -> Bool = { state, isCancelled in
                    if let value = check(state) {
                        continuation.resume(returning: value)
                        return true
                    }
                    if isCancelled { continuation.resume(throwing: CancellationError()) }
                    return isCancelled
                }
                inner.withLock { inner in
                    if !attempt(inner.state, Task.isCancelled) { inner.checks[id] = attempt }
                }
            }
        } onCancel: {
            inner.withLock { inner in
                if let attempt = inner.checks.removeValue(forKey: id) { _ = attempt(inner.state, true) }
            }
        }
    }
}
