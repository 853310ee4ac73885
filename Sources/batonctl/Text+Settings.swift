import Baton
import Vocabulary

extension Text {
    /// Of `batonctl settings`.
    enum Settings {
        static let byDefault = "default"
        static let noneIsMade = "No setting is made: each has its default. batond --help-settings explains them."
        static let notShown = "(not shown)"
        static func row(_ row: SettingsListing.Row, origin: Bool) -> String {
            let value = (row.value ?? notShown).printable
            return origin ? "\(place(row)): \(row.key): \(value)" : "\(row.key): \(value)"
        }
        static func place(_ row: SettingsListing.Row) -> String { (row.place ?? byDefault).printable }
        static func unknown(_ key: String) -> String {
            "There is no setting '\(key.printable)'; batond --help-settings explains each."
        }
        static func set(_ key: String, _ file: String) -> String { "\(key.printable) is set in \(file.printable)." }
        static func unset(_ key: String, _ file: String) -> String {
            "\(key.printable) is no longer set in \(file.printable)."
        }
        static func notSet(_ key: String, _ file: String) -> String {
            "\(key.printable) is not set in \(file.printable); batonctl settings --show-origin says where it is."
        }
        static func refused(_ lines: [String]) -> String {
            "Nothing is changed, since batond would refuse the settings:\n"
                + lines.map(\.printable).joined(separator: "\n")
        }
        static func elsewhere(_ key: String, _ place: String) -> String {
            "It has no effect: \(key.printable) is also set in \(place), which is read later or goes before the files."
        }
        static let noAnswer = "batond did not say what the settings are; is it of another version?"
    }
}
