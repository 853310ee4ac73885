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
            if let instant = instant(time, day: day, of: local), instant > after { return instant }
        }
        return nil
    }

    /// The first instant of a day at which local clocks show the time of day; where they are put forward over it, the one at which they would
    /// have without.
    ///
    /// Where they are put back over it there are two, and `mktime` by itself takes the one that is like what it was asked for before.
    private static func instant(_ time: TimeOfDay, day: Int32, of local: tm) -> time_t? {
        func candidate(isSummer: Int32) -> time_t {
            var parts = local
            parts.tm_mday += day
            parts.tm_hour = Int32(clamping: time.hour)
            parts.tm_min = Int32(clamping: time.minute)
            parts.tm_sec = 0
            parts.tm_isdst = isSummer
            return mktime(&parts)
        }
        func shows(_ instant: time_t) -> Bool {
            var (instant, parts) = (instant, tm())
            guard instant != -1, localtime_r(&instant, &parts) != nil else { return false }
            return Int(parts.tm_hour) == time.hour && Int(parts.tm_min) == time.minute
        }
        let found = [1, 0].map { candidate(isSummer: $0) }.filter(shows).min() ?? candidate(isSummer: 0)
        return found == -1 ? nil : found
    }
}
