internal import BatonContract
internal import LocalAccounts

/// Reads one app's file.
struct AppReader {
    private let file: AppFile
    var reader: SettingsReader
    private var ownFaults: [SettingsFault] = []
    /// Where the redirect URI stands.
    private(set) var redirectLine: Int?

    var faults: [SettingsFault] { ownFaults + reader.faults }
    var warnings: [SettingsFault] { reader.warnings }

    init(_ file: AppFile) {
        self.file = file
        reader = SettingsReader(text: file.text ?? "", file: file.file, layers: [])
    }

    mutating func read() -> AppSettings? {
        guard AppFile.isAppID(file.id) else {
            ownFaults.append(
                SettingsFault(
                    origin: file.file,
                    message: "the file's name is not an app id: letters, digits and . _ -, then .yaml"))
            return nil
        }
        if let fault = file.fault {
            ownFaults.append(SettingsFault(origin: file.file, message: fault))
            return nil
        }
        var app = AppSettings(id: file.id)
        app.name = reader.value("name", default: app.name, expected: "a name of 1 to 256 bytes on one line") { text in
            (1...256).contains(text.utf8.count) && Self.isPlain(text) ? text : nil
        }
        app.command = readCommand()
        app.unit = reader.optional("unit", expected: "a unit, such as till.service") {
            Self.isUnit($0) ? $0 : nil
        }
        if app.unit != nil, !app.command.isEmpty {
            reader.refuse("unit", "an app has either a command or a unit")
        }
        app.wipe = readDirectories("wipe", refusal: DataDirectory.refusalToWipe)
        app.keep = readDirectories("keep", refusal: DataDirectory.refusal)
        for (index, kept) in app.keep.enumerated()
        where !app.wipe.contains(where: { DataDirectory.lies(kept, in: $0) && !DataDirectory.lies($0, in: kept) }) {
            reader.refuse(
                "keep", "'\(SettingsText.printable(kept))' lies below no directory of wipe",
                line: reader.node("keep")?.item(index)?.line)
        }
        redirectLine = reader.node("redirect-uri")?.line
        app.redirectURI = readRedirectURI()
        app.scopes = reader.list("scopes", default: [], expected: "a scope") { text in
            (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? text : nil
        }
        app.participant = reader.word("participant", default: app.participant)
        app.icon = reader.optional("icon", expected: "an icon's name, or an absolute path") { text in
            (1...1024).contains(text.utf8.count) && Self.isPlain(text) && (text.hasPrefix("/") || !text.contains("/"))
                ? text : nil
        }
        readLaunch(&app)
        reader.finish()
        return app
    }

    private mutating func readRedirectURI() -> String? {
        guard let text = reader.optional("redirect-uri", expected: "text", { $0 }) else { return nil }
        do throws(RedirectURI.Fault) {
            try RedirectURI.check(text)
            return text
        } catch {
            reader.refuse("redirect-uri", error.message(for: text))
            return nil
        }
    }

    private mutating func readCommand() -> [String] {
        let node = reader.node("command")
        let command: [String]
        if case .list? = node?.content {
            command = reader.list("command", default: [], expected: "a program or argument") { text in
                text.utf8.contains(0) ? nil : text
            }
        } else {
            command = reader.value(
                "command", default: [], expected: "a command without quotes or $; write it as a list"
            ) { text in
                text.contains { "\"'\\$`|&;<>*?~(){}".contains($0) } || !Self.isPlain(text)
                    ? nil : text.split(separator: " ").map(String.init)
            }
        }
        guard node != nil else { return [] }
        if let program = command.first, !program.hasPrefix("/") {
            reader.refuse("command", "'\(SettingsText.printable(program))' must be an absolute path")
        } else if command.isEmpty, reader.faults.isEmpty {
            reader.refuse("command", "names no program")
        }
        return command
    }

    mutating func readDirectories(_ key: String, refusal: (String) -> String?) -> [String] {
        var directories: [String] = []
        let texts = reader.list(key, default: [], expected: "a directory") { $0 }
        for (index, text) in texts.enumerated() {
            if let refusal = refusal(text) {
                reader.refuse(
                    key, "'\(SettingsText.printable(text))' \(refusal)", line: reader.node(key)?.item(index)?.line)
            } else {
                directories.append(text)
            }
        }
        return directories
    }

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func isUnit(_ text: String) -> Bool {
        (text.hasSuffix(".service") || text.hasSuffix(".scope")) && (9...255).contains(text.utf8.count)
            && !text.hasPrefix(".") && !text.hasPrefix("-")
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                        || ":-_.\\@".unicodeScalars.contains(scalar))
            }
    }
}
