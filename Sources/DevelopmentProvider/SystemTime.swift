import FoundationEssentials
import Glibc

/// The time of the machine.
public enum SystemTime {
    /// Seconds since 1970.
    public static func now() -> Double { Date().timeIntervalSince1970 }

    /// The time in some seconds, as RFC 9110, section 5.6.7, writes it; a program that sets no locale has the names of C.
    static func httpDate(in delay: Int = 0) -> String {
        var (seconds, parts) = (time(nil) + delay, tm())
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let length = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
