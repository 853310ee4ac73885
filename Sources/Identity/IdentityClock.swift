/// The time as this module sees it, so that tests can set it, and where its own tasks run.
public struct IdentityClock: Sendable {
    /// The Unix time in seconds.
    public var seconds: @Sendable () -> Int64
    /// Returns after that time, or throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// For tasks that do not end with who began them; nil: the pool, whose threads look around every second from the
    /// first task on.
    public var executor: (any TaskExecutor)?

    public init(
        seconds: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Duration) async throws -> Void,
        executor: (any TaskExecutor)? = nil
    ) {
        self.seconds = seconds
        self.sleep = sleep
        self.executor = executor
    }
}
