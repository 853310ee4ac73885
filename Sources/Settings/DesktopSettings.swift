import LocalAccounts
public import Vocabulary

/// What workers see beside the browser: `desktop`.
public struct DesktopSettings: Sendable, Hashable {
    public var kind = DesktopKind.resident
    /// Of a desktop that is each turn's: an absolute path and arguments.
    public var command: [String] = []
    /// A folder whose files each worker's home begins with. An absolute path; empty: none.
    public var home = "/etc/skel"
    /// The layout of the keyboard by the worker's locale; without one, the device's own stays.
    public var keyboards = KeyboardsByLocale()

    public init() {}
}

/// Reads `desktop`.
enum DesktopReader {
    static func read(from reader: inout SettingsReader) -> DesktopSettings {
        var desktop = DesktopSettings()
        desktop.kind = reader.word(.desktopKind, default: desktop.kind)
        desktop.command = reader.command(.desktopCommand)
        desktop.home = reader.value(.desktopHome, default: desktop.home, expected: "the absolute path of a folder") {
            text in
            text.isEmpty || text.hasPrefix("/") && text.utf8.count <= 4095 && SettingsText.isPlain(text) ? text : nil
        }
        desktop.keyboards = keyboards(from: &reader)
        if desktop.kind == .turn, desktop.command.isEmpty, reader.faults.isEmpty {
            reader.refuse(
                anyOf: [.desktopCommand, .desktopKind],
                "\(SettingsKey.desktopCommand) names no program, which \(SettingsKey.desktopKind) turn needs")
        }
        return desktop
    }

    private static func keyboards(from reader: inout SettingsReader) -> KeyboardsByLocale {
        let key = SettingsKey.desktopKeyboards
        var keyboards = KeyboardsByLocale()
        guard let node = reader.structure(key), !node.isNull else { return keyboards }
        guard case .map(let pairs) = node.content else {
            reader.refuse(
                key, "must be pairs of a locale and a layout, such as {de: de, cs: cz(qwertz)}", line: node.line)
            return keyboards
        }
        for pair in pairs {
            let locale = SettingsText.printable(pair.key)
            guard LocalAccount.isLocale(pair.key) else {
                reader.refuse(key, "'\(locale)' is not a locale, such as de or de_AT", line: pair.line)
                continue
            }
            guard let text = pair.value.text, let layout = KeyboardLayout(text) else {
                let text = pair.value.text.map { "'\(SettingsText.printable($0))'" } ?? "the value"
                reader.refuse(key, "\(locale): \(text) is not a keyboard layout, such as de or ch(fr)", line: pair.line)
                continue
            }
            if !keyboards.add(pair.key, layout) { reader.refuse(key, "'\(locale)' is there twice", line: pair.line) }
        }
        return keyboards
    }
}

extension SettingsReader {
    /// A program, by its absolute path, and its arguments: a list, or a text of words without any quoting; empty: none is given.
    mutating func command(_ key: SettingsKey) -> [String] {
        let command: [String]
        note(key, .list("a program or argument"))
        if case .list? = node(key)?.content {
            command = self.list(key, default: [], expected: "a program or argument") { text in
                text.utf8.contains(0) ? nil : text
            }
        } else {
            command = value(key, default: [], expected: "a command without quotes or $; write it as a list") { text in
                text.contains { "\"'\\$`|&;<>*?~(){}".contains($0) } || !SettingsText.isPlain(text)
                    ? nil : text.split(separator: " ").map(String.init)
            }
        }
        guard let program = command.first, !program.hasPrefix("/") else { return command }
        refuse(key, "'\(SettingsText.printable(program))' must be an absolute path")
        return command
    }
}
