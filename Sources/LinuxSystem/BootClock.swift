import Glibc

/// CLOCK_BOOTTIME, which goes on while the machine sleeps.
package enum BootClock {
    /// In microseconds.
    package static var now: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let (micros, overflow) = UInt64(clamping: now.tv_sec).multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : micros &+ UInt64(clamping: now.tv_nsec / 1000)
    }

    /// In clock ticks, as in `/proc/PID/stat`.
    package static var ticks: UInt64 {
        let (seconds, rest) = now.quotientAndRemainder(dividingBy: 1_000_000)
        return seconds &* ticksPerSecond &+ rest &* ticksPerSecond / 1_000_000
    }

    package static let ticksPerSecond = UInt64(clamping: max(1, sysconf(CInt(_SC_CLK_TCK))))
}
