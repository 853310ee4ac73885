import Glibc
import LinuxSystem

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

    /// As batond says it, in microseconds; nil: it does not know.
    ///
    /// - Parameters:
    ///   - began: Unix time.
    ///   - boottime: CLOCK_BOOTTIME; the greatest number: in an earlier boot, of which no process can be left. Nil: batond knows
    ///     the wall clock's time alone.
    package init?(began: Int64, boottime: UInt64? = nil) {
        let now = TurnStart()
        let (wall, overflow) = began.multipliedReportingOverflow(by: 1000)
        guard began > 0, !overflow else { return nil }
        guard let boottime else {
            guard wall <= now.wall else { return nil }
            let ago = UInt64(clamping: (now.wall - wall) / 1000) * Self.rate / 1_000_000
            self.init(wall: wall, ticks: ago <= now.ticks ? now.ticks - ago : .max)
            return
        }
        let (product, isLate) = boottime.multipliedReportingOverflow(by: Self.rate)
        guard !isLate, product / 1_000_000 <= now.ticks else {
            self.init(wall: min(wall, now.wall), ticks: .max)
            return
        }
        // A wall clock that was set back in the turn has put what was written since before its begin.
        let (seconds, rest) = (now.ticks - product / 1_000_000).quotientAndRemainder(dividingBy: Self.rate)
        let ago = Int64(clamping: seconds) &* 1_000_000_000 &+ Int64(clamping: rest * 1_000_000_000 / Self.rate)
        let byBoot = now.wall &- ago
        self.init(wall: min(wall, byBoot &+ Self.step) < wall ? byBoot : wall, ticks: product / 1_000_000)
    }

    /// CLOCK_BOOTTIME in microseconds.
    package var microseconds: UInt64 {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: Self.rate)
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : whole &+ rest &* 1_000_000 / Self.rate
    }

    private static let rate = BootClock.ticksPerSecond
    /// Nanoseconds; less than that is what the clocks' readings differ by.
    private static let step: Int64 = 1_000_000_000

    /// Now.
    public init() {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let (seconds, overflow) = Int64(now.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        wall = overflow ? .max : seconds &+ Int64(now.tv_nsec)
        ticks = BootClock.ticks
    }
}
