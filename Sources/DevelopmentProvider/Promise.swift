import Waiting

/// A value that comes later, once; every task that waits gets it.
actor Promise<Value: Sendable> {
    private var result: Result<Value, any Error>?
    private let waiters = WaiterList<Result<Value, any Error>>()

    /// Only the first call counts.
    func announce(_ result: Result<Value, any Error>) {
        guard self.result == nil else { return }
        self.result = result
        waiters.wakeAll(result)
    }

    func wait() async throws -> Value {
        guard let result = await waiters.waitUnlessCancelled(unless: { self.result }) else { throw CancellationError() }
        return try result.get()
    }
}
