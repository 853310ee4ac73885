import CDBus
import Glibc
import Synchronization

/// Wakes a thread that sleeps in `poll(2)`. A suspended machine's time counts.
///
/// It belongs to one thread. It is set when that thread is about to sleep and never set back: who takes a time back
/// costs at most one wake-up for nothing, and no system call.
final class AlarmClock: Sendable {
    let descriptor: Int32
    private let set = Atomic<UInt64>(.max)

    init() throws(DBusError) {
        descriptor = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        if descriptor < 0 { throw .connectionFailed("no timerfd") }
    }

    deinit { close(descriptor) }

    /// Nanoseconds of CLOCK_BOOTTIME.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }

    /// That far from now.
    static func time(after duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return now }
        let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, more) = whole.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        let (time, most) = sum.addingReportingOverflow(now)
        return overflow || more || most ? .max : time
    }

    /// Rings at this time or before it.
    func ring(by time: UInt64) {
        guard time < set.load(ordering: .relaxed) else { return }
        var setting = itimerspec()
        // All zeros would switch it off.
        setting.it_value.tv_sec = Int(clamping: time / 1_000_000_000)
        setting.it_value.tv_nsec = max(1, Int(time % 1_000_000_000))
        if timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0 {
            set.store(time, ordering: .relaxed)
        }
    }

    /// It has rung.
    func acknowledge() {
        var count: UInt64 = 0
        if read(descriptor, &count, MemoryLayout.size(ofValue: count)) > 0 {
            set.store(.max, ordering: .relaxed)
        }
    }
}
