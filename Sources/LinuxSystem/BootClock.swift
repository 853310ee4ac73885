import Glibc

/// CLOCK_BOOTTIME, which goes on while the machine sleeps, in microseconds.
package enum BootClock {
    package static var now: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let (micros, overflow) = UInt64(clamping: now.tv_sec).multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : micros &+ UInt64(clamping: now.tv_nsec / 1000)
    }
}
