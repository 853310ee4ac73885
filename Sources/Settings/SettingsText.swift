/// How single values are written in the settings; nil for anything else, whatever its size.
package enum SettingsText {
    private static let units: [(String, Int64)] = [
        ("ms", 1), ("s", 1000), ("min", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    static let durationExample = "a duration, such as 1500ms, 5s, 15min, 1h or 90d"

    /// On one line, without control characters.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Whole numbers with a unit, up to a hundred years.
    static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits),
            let unit = units.first(where: { $0.0 == text.dropFirst(digits.count) })
        else { return nil }
        let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit.1)
        guard !overflow, milliseconds <= 36_500 * 86_400_000 else { return nil }
        return .milliseconds(milliseconds)
    }

    /// The shortest form that reads as the same duration.
    static func text(_ duration: Duration) -> String {
        let parts = duration.components
        let milliseconds = parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
        let unit = units.last { milliseconds % $0.1 == 0 && milliseconds != 0 } ?? units[1]
        return "\(milliseconds / unit.1)\(unit.0)"
    }

    /// Bytes: `512`, `64KiB`, `1MiB`.
    static func size(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        let factor: Int
        switch text.dropFirst(digits.count) {
        case "", "B": factor = 1
        case "KiB": factor = 1 << 10
        case "MiB": factor = 1 << 20
        default: return nil
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : bytes
    }

    /// Digits only: no sign, no blanks, no other notation.
    static func count(_ text: String) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }

    static func flag(_ text: String) -> Bool? {
        switch text {
        case "true", "yes", "on": true
        case "false", "no", "off": false
        default: nil
        }
    }

    static func timeOfDay(_ text: String) -> TimeOfDay? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
            let hour = count(String(parts[0])), let minute = count(String(parts[1])),
            (0..<24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return TimeOfDay(hour: hour, minute: minute)
    }

    /// A name of the system's user or group database.
    static func userName(_ text: String) -> String? {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_.-@".utf8.contains(byte)
            }
        }
        let first = text.unicodeScalars.first
        guard allowed, (1...32).contains(text.utf8.count), let first, first == "_" || first.properties.isAlphabetic
        else { return nil }
        return text
    }

    static func administrator(_ text: String) -> Settings.Administrator? {
        if text.hasPrefix("%") {
            return userName(String(text.dropFirst())).map { .group($0) }
        }
        return userName(text).map { .user($0) }
    }

    /// Fit for an error message: short, and without control characters.
    package static func printable(_ text: String) -> String {
        let shown = visible(String(text.unicodeScalars.prefix(64)))
        return text.unicodeScalars.count > 64 ? shown + "…" : shown
    }

    /// Without what a terminal would obey, or could not show.
    static func visible(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let category = scalar.properties.generalCategory
            let hidden =
                category == .control || category == .format || category == .lineSeparator
                || category == .paragraphSeparator || category == .unassigned
            result.unicodeScalars.append(hidden ? "?" : scalar)
        }
        return result
    }
}
