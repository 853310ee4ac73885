import Glibc

/// When a worker's turn began, on both clocks: files have the wall clock's time, processes that of the boot.
public struct TurnStart: Sendable, Equatable {
    /// Unix time in nanoseconds.
    public var wall: Int64
    /// CLOCK_BOOTTIME in clock ticks, as in `/proc/PID/stat`.
    public var ticks: UInt64

    public init(wall: Int64, ticks: UInt64) {
        self.wall = wall
        self.ticks = ticks
    }

    /// From batond's wall clock alone, Unix time in microseconds; nil: it does not know.
    ///
    /// Of a turn that is older than this boot no process can be left.
    init?(began: Int64) {
        let now = TurnStart()
        let (wall, overflow) = began.multipliedReportingOverflow(by: 1000)
        guard began > 0, !overflow, wall <= now.wall else { return nil }
        let rate = UInt64(clamping: sysconf(CInt(_SC_CLK_TCK)))
        let ago = UInt64(clamping: (now.wall - wall) / 1000) * rate / 1_000_000
        self.init(wall: wall, ticks: ago <= now.ticks ? now.ticks - ago : .max)
    }

    /// Now.
    public init() {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let (seconds, overflow) = Int64(now.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        wall = overflow ? .max : seconds &+ Int64(now.tv_nsec)
        clock_gettime(CLOCK_BOOTTIME, &now)
        let rate = Int64(sysconf(CInt(_SC_CLK_TCK)))
        ticks = UInt64(clamping: Int64(now.tv_sec) &* rate &+ Int64(now.tv_nsec) &* rate / 1_000_000_000)
    }
}
