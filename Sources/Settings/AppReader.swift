import BatonContract
import LocalAccounts
import Vocabulary

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
            ownFaults.append(
                SettingsFault(
                    origin: file.file, message: fault, unreadableFile: file.isForbidden ? file.file : nil))
            return nil
        }
        var app = AppSettings(id: file.id)
        app.name = reader.value(AppKeys.name, default: app.name, expected: "a name of 1 to 256 bytes on one line") {
            text in
            (1...256).contains(text.utf8.count) && SettingsText.isPlain(text) ? text : nil
        }
        app.command = readCommand()
        app.unit = reader.optional(AppKeys.unit, expected: "a unit, such as till.service") {
            Self.isUnit($0) ? $0 : nil
        }
        if app.unit != nil, !app.command.isEmpty {
            reader.refuse(AppKeys.unit, "an app has either a command or a unit")
        }
        app.wipe = readDirectories(AppKeys.wipe, refusal: DataDirectory.refusalToWipe)
        app.keep = readDirectories(AppKeys.keep, refusal: DataDirectory.refusal)
        for (index, kept) in app.keep.enumerated()
        where !app.wipe.contains(where: { DataDirectory.lies(kept, in: $0) && !DataDirectory.lies($0, in: kept) }) {
            reader.refuse(
                AppKeys.keep, "'\(SettingsText.printable(kept))' lies below no directory of \(AppKeys.wipe)",
                line: reader.node(AppKeys.keep)?.item(index)?.line)
        }
        redirectLine = reader.node(AppKeys.redirectURI)?.line
        app.redirectURI = readRedirectURI()
        app.scopes = reader.list(AppKeys.scopes, default: [], expected: "a scope") { text in
            (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? text : nil
        }
        app.participant = reader.word(AppKeys.participant, default: app.participant)
        app.icon = reader.optional(AppKeys.icon, expected: "an icon's name, or an absolute path") { text in
            (1...1024).contains(text.utf8.count) && SettingsText.isPlain(text)
                && (text.hasPrefix("/") || !text.contains("/"))
                ? text : nil
        }
        readLaunch(&app)
        reader.finish()
        return app
    }

    private mutating func readRedirectURI() -> String? {
        guard let text = reader.optional(AppKeys.redirectURI, expected: "text", { $0 }) else { return nil }
        do throws(RedirectURI.Fault) {
            try RedirectURI.check(text)
            return text
        } catch {
            reader.refuse(AppKeys.redirectURI, error.message(for: text))
            return nil
        }
    }

    private mutating func readCommand() -> [String] {
        let command = reader.command(AppKeys.command)
        if reader.node(AppKeys.command) != nil, command.isEmpty, reader.faults.isEmpty {
            reader.refuse(AppKeys.command, "names no program")
        }
        return command
    }

    mutating func readDirectories(_ key: SettingsKey, refusal: (String) -> String?) -> [String] {
        reader.texts(key, default: [], expected: "a directory", refusal: refusal)
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
