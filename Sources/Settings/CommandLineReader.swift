import LocalAccounts
import Vocabulary
import WebText

/// Reads `command-line-tokens`: `off`, or the origins that `batonctl call` may send a token to.
enum CommandLineReader {
    private static let key = SettingsKey.commandLineTokens
    private static let off = "off"

    /// Nil: the command line gets no tokens.
    static func read(from reader: inout SettingsReader) -> [String]? {
        guard !reader.isWord(off, at: key) else { return nil }
        let origins = reader.list(
            key, default: [off], expected: "an origin, such as https://graph.microsoft.com, or http on loopback"
        ) { text in text == off ? off : origin(text) }
        if origins == [off] { return nil }
        if origins.contains(off) { reader.refuse(key, "off stands alone, or origins in its place") }
        if origins.isEmpty, reader.hasNoFault(at: key) {
            reader.refuse(key, "must name an origin; off: the command line gets no tokens")
        }
        return origins
    }

    /// An origin in its one spelling; nil if there is more in it, or if any host on the way could read along.
    static func origin(_ text: String) -> String? {
        guard let address = WebAddress(text), address.path.isEmpty || address.path == "/", address.query == nil,
            address.fragment == nil, address.scheme == "https" || address.site.isCommonLoopback
        else { return nil }
        return address.origin
    }
}

extension SettingsReader {
    /// Whether a key that is otherwise a list is this one word in the file, and nothing above the file says otherwise.
    mutating func isWord(_ word: String, at key: SettingsKey) -> Bool {
        guard node(key)?.text == word, !isSetAbove(key) else { return false }
        return isSet(key)
    }

    func hasNoFault(at key: SettingsKey) -> Bool { !faults.contains { $0.key == key.name } }
}
