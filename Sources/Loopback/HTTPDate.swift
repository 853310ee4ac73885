import Glibc

/// The date that a response was made on, as RFC 9110, section 5.6.7, wants it.
enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func now() -> String? { text(time(nil)) }

    /// Nil where the time has no such form: its year has four digits.
    static func text(_ seconds: Int) -> String? {
        var (seconds, parts) = (time_t(seconds), tm())
        guard gmtime_r(&seconds, &parts) != nil, (0...8099).contains(parts.tm_year),
            days.indices.contains(Int(parts.tm_wday)), months.indices.contains(Int(parts.tm_mon))
        else { return nil }
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
        let date = "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year)"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(days[Int(parts.tm_wday)]), \(date) \(time) GMT"
    }
}
