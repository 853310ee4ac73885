internal import Synchronization

/// An answer that is given once and that many may wait for; each of them can stop waiting alone.
final class SharedAnswer<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, IdentityError>

    private struct State {
        var outcome: Outcome?
        var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Gives the answer; false when there is one already, which then stays.
    @discardableResult
    func settle(_ outcome: Outcome) -> Bool {
        let waiters = state.withLock { state -> [CheckedContinuation<Outcome, Never>]? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        guard let waiters else { return false }
        for waiter in waiters { waiter.resume(returning: outcome) }
        return true
    }

    /// Waits for the answer.
    ///
    /// - Throws: what `settle` was given, or `canceled` when the waiting task is cancelled before.
    func value() async throws(IdentityError) -> Value {
        let number = state.withLock { state in
            state.lastWaiter &+= 1
            return state.lastWaiter
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The flag is looked at under the lock that `onCancel` takes: one of both sees the other.
                let known = state.withLock { state -> Outcome? in
                    if let outcome = state.outcome { return outcome }
                    if Task.isCancelled { return .failure(IdentityError(.canceled)) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.resume(returning: .failure(IdentityError(.canceled)))
        }
        return try outcome.get()
    }
}
