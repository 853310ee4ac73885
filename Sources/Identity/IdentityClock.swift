/// The time as this module sees it, so that tests can set it.
public struct IdentityClock: Sendable {
    /// The Unix time in seconds.
    public var seconds: @Sendable () -> Int64
    /// Returns after that time, or throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    public init(
        seconds: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.seconds = seconds
        self.sleep = sleep
    }
}
