import LocalAccounts
import Vocabulary

extension AppReader {
    /// What concerns an app that the agent starts; none of it means anything without a command.
    mutating func readLaunch(_ app: inout AppSettings) {
        app.environment = readEnvironment()
        app.isSandboxed = reader.flag(AppKeys.sandbox, default: app.isSandboxed)
        app.home.keep = readHome(AppKeys.homeKeep)
        app.home.readOnly = readHome(AppKeys.homeReadOnly)
        app.home.wipe = readHome(AppKeys.homeWipe, isWiped: true)
        app.hasSessionBus = reader.flag(AppKeys.sessionBus, default: app.hasSessionBus)
        app.startsAtSignIn = reader.flag(AppKeys.autostart, default: app.startsAtSignIn)
        let inSandbox = [AppKeys.homeKeep, AppKeys.homeReadOnly, AppKeys.homeWipe, AppKeys.sessionBus]
        for key in [AppKeys.environment, AppKeys.sandbox] + inSandbox + [AppKeys.autostart]
        where app.command.isEmpty && reader.faults.isEmpty && reader.isSet(key) {
            reader.refuse(
                key, "is for apps that the agent starts: this one has no command", line: reader.node(key)?.line)
        }
        for key in inSandbox
        where !app.isSandboxed && reader.faults.isEmpty && reader.isSet(key) {
            reader.refuse(key, "is for apps with a sandbox, and this app has none", line: reader.node(key)?.line)
        }
    }

    private mutating func readEnvironment() -> [String: String] {
        guard let node = reader.structure(AppKeys.environment) else { return [:] }
        guard case .map(let pairs) = node.content else {
            reader.refuse(AppKeys.environment, "must be a section of names and texts", line: node.line)
            return [:]
        }
        var environment: [String: String] = [:]
        for pair in pairs {
            let name = SettingsText.printable(pair.key)
            if !Self.isVariable(pair.key) {
                reader.refuse(AppKeys.environment, "'\(name)' is not a name of a variable", line: pair.line)
            } else if let text = pair.value.text, text.utf8.count <= 4096, !text.utf8.contains(0) {
                environment[pair.key] = text
            } else {
                reader.refuse(AppKeys.environment, "\(name) must be one text of at most 4096 bytes", line: pair.line)
            }
        }
        return environment
    }

    private static func isVariable(_ text: String) -> Bool {
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        return isName && (1...128).contains(text.utf8.count) && text.first?.isNumber == false
    }

    private mutating func readHome(_ key: SettingsKey, isWiped: Bool = false) -> [String] {
        readDirectories(key) { path in
            guard path.hasPrefix("~/") else { return "must begin with ~/" }
            return isWiped ? DataDirectory.refusalToWipe(path) : DataDirectory.refusalToShow(path)
        }
    }
}
