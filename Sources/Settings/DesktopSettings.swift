import LocalAccounts
public import Vocabulary

/// What workers see beside the browser: `desktop`.
public struct DesktopSettings: Sendable, Hashable {
    public var kind = DesktopKind.resident
    /// Of a desktop that is each turn's: an absolute path and arguments.
    public var command: [String] = []
    /// A folder whose files each worker's home begins with. An absolute path; empty: none.
    public var home = "/etc/skel"

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
        if desktop.kind == .turn, desktop.command.isEmpty, reader.faults.isEmpty {
            reader.refuse(
                anyOf: [.desktopCommand, .desktopKind],
                "\(SettingsKey.desktopCommand) names no program, which \(SettingsKey.desktopKind) turn needs")
        }
        return desktop
    }
}

extension SettingsReader {
    /// A program, by its absolute path, and its arguments: a list, or a text of words without any quoting; empty: none is given.
    mutating func command(_ key: SettingsKey) -> [String] {
        let command: [String]
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
