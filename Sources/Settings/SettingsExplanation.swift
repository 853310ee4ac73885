import Vocabulary

/// What the commented example says of one key: what it is for, and its default.
public struct SettingsExplanation: Sendable, Hashable {
    /// Such as `barrier.soft`, or `barrier` for the section itself.
    public let key: String
    public let text: String
    /// As it is written there; nil for a section.
    public let value: String?
    /// The value is the default; false: an example, as of keys that have none.
    public let isDefault: Bool

    /// Every key of the example, in its order.
    public static let all: [SettingsExplanation] = read(Settings.example)

    static func read(_ example: String) -> [SettingsExplanation] {
        var all: [SettingsExplanation] = []
        var words: [String] = []
        var section = ""
        for line in example.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("#") else {
                words = []
                continue
            }
            if line.hasPrefix("##") {
                words.append(line.dropFirst(2).trimmed)
                continue
            }
            let isDefault = !line.hasPrefix("#+")
            let rest = line.dropFirst(isDefault ? 1 : 2)
            guard let colon = rest.firstIndex(of: ":") else { continue }
            let (name, value) = (rest[..<colon].trimmed, rest[rest.index(after: colon)...].trimmed)
            let isNested = rest.hasPrefix(" ")
            if !isNested { section = value.isEmpty ? name : "" }
            all.append(
                SettingsExplanation(
                    key: isNested ? "\(section).\(name)" : name, text: words.joined(separator: " "),
                    value: value.isEmpty ? nil : value, isDefault: isDefault))
            words = []
        }
        return all
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
