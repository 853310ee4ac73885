/// A value that comes later, once; everybody who waits gets it.
actor Announcement<Value: Sendable> {
    private var result: Result<Value, any Error>?
    private var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    private var last = 0

    /// Only the first call counts.
    func announce(_ result: Result<Value, any Error>) {
        guard self.result == nil else { return }
        self.result = result
        let all = waiting.values
        waiting = [:]
        for continuation in all { continuation.resume(with: result) }
    }

    func wait() async throws -> Value {
        if let result { return try result.get() }
        last &+= 1
        let ticket = last
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                waiting[ticket] = continuation
            }
        } onCancel: {
            Task { await self.cancel(ticket) }
        }
    }

    private func cancel(_ ticket: Int) { waiting.removeValue(forKey: ticket)?.resume(throwing: CancellationError()) }
}
