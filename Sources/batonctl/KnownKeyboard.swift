import LinuxSystem
import Vocabulary

/// A layout that this machine's keyboards can have.
enum KnownKeyboard {
    struct Unknown: Error, CustomStringConvertible {
        let text: String
        let list: String

        var description: String { Text.unknownKeyboard(text, list) }
    }

    /// Where there is no list of layouts, only the worker's sign-in can tell.
    static func check(_ text: String) throws(Unknown) { try check(text, XKBRules.standardPath) }

    static func check(_ text: String, _ list: String) throws(Unknown) {
        guard let layout = KeyboardLayout(text), let rules = XKBRules(path: list) else { return }
        guard rules.has(layout: layout.layout, variant: layout.variant) else {
            throw Unknown(text: text, list: list)
        }
    }
}
