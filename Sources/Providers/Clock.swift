import Glibc
public import SessionMachine

/// Where the supervisor's time comes from; tests bring their own.
public struct Clock: Sendable {
    public let now: @Sendable () -> Moment

    public init(now: @escaping @Sendable () -> Moment) {
        self.now = now
    }

    /// The machine's clocks.
    public static let system = Clock {
        Moment(
            monotonic: microseconds(CLOCK_MONOTONIC), boottime: microseconds(CLOCK_BOOTTIME),
            wall: Int64(clamping: microseconds(CLOCK_REALTIME)))
    }

    private static func microseconds(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        let seconds = UInt64(clamping: time.tv_sec)
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, more) = product.addingReportingOverflow(UInt64(clamping: time.tv_nsec / 1000))
        return overflow || more ? .max : sum
    }
}
