import Glibc
import Settings

/// When the times of day of `automatic-sign-out.at` come.
enum ShiftClock {
    /// A clock that was set, a change to summer time and a suspended machine are noticed within this time, in seconds.
    static let longestNap = 900

    /// The first instant after another (both Unix seconds) at which local clocks show the time of day.
    static func next(_ time: TimeOfDay, after: Int) -> Int? {
        var seconds = time_t(after)
        var local = tm()
        // The machine's time zone may be another one since, which `localtime_r` alone does not see.
        tzset()
        guard localtime_r(&seconds, &local) != nil else { return nil }
        for day in Int32(0)...2 {
            var candidate = local
            candidate.tm_mday += day
            candidate.tm_hour = Int32(clamping: time.hour)
            candidate.tm_min = Int32(clamping: time.minute)
            candidate.tm_sec = 0
            candidate.tm_isdst = -1
            let instant = mktime(&candidate)
            if instant != -1, instant > after { return instant }
        }
        return nil
    }
}
