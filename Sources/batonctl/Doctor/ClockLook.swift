import Baton
import Glibc
import LinuxSystem

/// The wall clock: receipts tell its time, and files count as a turn's by it.
enum ClockLook {
    static func finding(newest: Receipt?) -> Finding {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
        if let newest, newest.ended > microseconds + 2_000_000 {
            return .wrong("clock", Text.Doctor.clockWentBack(newest.epoch), advice)
        }
        if !KernelFeatures.isClockSynchronised {
            return .warning("clock", Text.Doctor.clockIsFree, advice)
        }
        return .ok("clock", Text.Doctor.clockIsRight)
    }

    /// A bare Debian brings nothing that timedatectl could switch on.
    private static var advice: String {
        let services = ["systemd-timesyncd", "chrony", "ntpsec", "openntpd"]
        let folders = ["/etc/systemd/system", "/lib/systemd/system", "/usr/lib/systemd/system"]
        let isThere = services.contains { service in
            folders.contains { access("\($0)/\(service).service", F_OK) == 0 }
        }
        return isThere ? Text.Doctor.setClock : Text.Doctor.installClock
    }
}
