import Synchronization

/// One waiting task and what it waits for: finished once, by a reply, a time-out, a cancellation or the end.
///
/// It is locked and not isolated, because a cancellation may come on any thread.
final class CallTicket<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var outcome: Result<Value, any Error>?
    }

    private let state = Mutex(State())
    /// The message that asks; 0 before it is sent.
    let serial = Atomic<UInt32>(0)

    var isFinished: Bool { state.withLock { $0.outcome != nil } }

    /// The first outcome counts.
    func finish(_ outcome: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: outcome)
    }

    /// Runs `start` at once and waits; a cancellation ends the wait with `CancellationError`.
    ///
    /// Who calls this on an actor stays on its thread. Both functions have to be told of the actor for that, or the task
    /// would go on in the pool of threads first.
    func value(
        isolation: isolated (any Actor)? = #isolation, _ start: () -> Void, onCancel: @escaping @Sendable () -> Void
    ) async throws -> Value {
        start()
        return try await withTaskCancellationHandler(
            operation: {
                try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
                    let outcome = state.withLock { state in
                        if state.outcome == nil { state.continuation = continuation }
                        return state.outcome
                    }
                    if let outcome { continuation.resume(with: outcome) }
                }
            },
            onCancel: {
                finish(.failure(CancellationError()))
                onCancel()
            }, isolation: isolation)
    }
}
