import LocalAccounts
import Vocabulary

/// The text of one file under `apps.d`, not yet judged.
public struct AppFile: Sendable, Hashable {
    /// The file's name without `.yaml`.
    public let id: String
    /// The path, for messages.
    public let file: String
    /// Nil when it could not be read; `fault` says why.
    public let text: String?
    public let fault: String?
    /// It could not be read for lack of permission.
    public let isForbidden: Bool

    public init(id: String, file: String, text: String) {
        self.id = id
        self.file = file
        self.text = text
        fault = nil
        isForbidden = false
    }

    public init(id: String, file: String, fault: String, isForbidden: Bool = false) {
        self.id = id
        self.file = file
        text = nil
        self.fault = fault
        self.isForbidden = isForbidden
    }

    /// Whether the text can be an app id: 1 to 255 letters, digits and `. _ -`, beginning with a letter or digit.
    public static func isAppID(_ text: String) -> Bool {
        let first = text.utf8.first.map(isLetterOrDigit) ?? false
        return first && text.utf8.count <= 255 && !hasTwoDots(text) && text.utf8.last != UInt8(ascii: ".")
            && text.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }

    private static func hasTwoDots(_ text: String) -> Bool {
        let dot = UInt8(ascii: ".")
        return zip(text.utf8, text.utf8.dropFirst()).contains { $0 == dot && $1 == dot }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    struct Judgement {
        var apps: [AppSettings] = []
        var disabled: [String] = []
        var faults: [SettingsFault] = []
        var warnings: [SettingsFault] = []
    }

    /// Reads all files; whatever is wrong with one leaves the others alone.
    static func judge(_ files: [AppFile]) -> Judgement {
        var judgement = Judgement()
        var read: [(file: AppFile, app: AppSettings, line: Int?)] = []
        for file in files.sorted(by: { $0.file < $1.file }) {
            var reader = AppReader(file)
            let app = reader.read()
            judgement.faults += reader.faults
            judgement.warnings += reader.warnings
            if reader.faults.isEmpty, let app {
                read.append((file, app, reader.redirectLine))
            } else {
                judgement.disabled.append(file.id)
            }
        }
        let byURI = Dictionary(grouping: read.filter { $0.app.redirectURI != nil }) {
            $0.app.redirectURI?.lowercased() ?? ""
        }
        for entry in read {
            // A redirect does not say which of the two apps it answers, so neither gets any.
            let rival = (byURI[entry.app.redirectURI?.lowercased() ?? ""] ?? []).first { $0.app.id != entry.app.id }
            if let rival {
                judgement.disabled.append(entry.app.id)
                judgement.faults.append(
                    SettingsFault(
                        origin: entry.file.file, line: entry.line, key: AppKeys.redirectURI.name,
                        message: "\(rival.app.id) has the same redirect URI"))
            } else {
                judgement.apps.append(entry.app)
            }
        }
        return judgement
    }
}
