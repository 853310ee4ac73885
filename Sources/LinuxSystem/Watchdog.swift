import Glibc

/// How often systemd wants to hear that this process lives: sd_watchdog_enabled(3).
package enum Watchdog {
    /// Half of what it waits, as it asks for; nil: it does not wait.
    ///
    /// - Parameter environment: With WATCHDOG_USEC, in microseconds, and WATCHDOG_PID, for whom it is meant.
    package static func interval(_ environment: [String: String], own pid: Int32 = getpid()) -> Duration? {
        guard let limit = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), limit > 1 else { return nil }
        if let meant = environment["WATCHDOG_PID"], meant != "\(pid)" { return nil }
        return .microseconds(limit / 2)
    }
}
