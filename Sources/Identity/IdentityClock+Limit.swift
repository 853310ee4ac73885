extension IdentityClock {
    /// Waits for the work, but never longer than the limit; nil when it did not end in time or the caller is cancelled.
    ///
    /// The work is cancelled then and not waited for: it may hang in something that does not listen.
    func bounded<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let answer = SharedAnswer<Value>()
        let worker = Task(executorPreference: executor) { answer.settle(.success(await work())) }
        let timer = Task(executorPreference: executor) {
            try? await sleep(limit)
            answer.settle(.failure(IdentityError(.timeout)))
        }
        defer {
            worker.cancel()
            timer.cancel()
        }
        return try? await answer.value()
    }
}
