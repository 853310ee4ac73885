import BatonContract
import LocalAccounts
import SessionMachine

@testable import Settings
@testable import Supervisor

/// What an administrator writes: settings, apps' files, variables of the environment.
enum SettingsWays {
    static let all: [Way] = [
        Way("settings-system") { bytes in read(bytes, .system) },
        Way("settings-session") { bytes in read(bytes, .session) },
        Way("apps") { bytes in
            // Of two files a third may be made wrong: both may ask for one redirect.
            let texts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            let apps = zip(texts, ["org.example.Ward", "org.example.Till"]).map { text, id in
                AppFile(id: id, file: "/etc/baton/apps.d/\(id).yaml", text: String(decoding: text, as: UTF8.self))
            }
            use("mode: shared\n", .system, apps: apps)
        },
        Way("app-id") { bytes in
            let id = String(decoding: bytes, as: UTF8.self)
            use("", .session, apps: [AppFile(id: id, file: "a.yaml", text: "command: /usr/bin/ward\n")])
        },
        Way("environment") { bytes in
            var variables: [String: String] = [:]
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
                variables["BATON_" + String(decoding: parts[0], as: UTF8.self)] = value
            }
            use("", .system, layers: [.environment(variables)])
        },
        Way("accounts") { bytes in
            guard let text = String(validating: bytes, as: UTF8.self) else { return }
            let list = AccountsList(document: text)
            for fault in list.faults + list.warnings { check(SettingsFault(fault, file: "/etc/baton/accounts.yaml")) }
            // What can be read can be written, and read again.
            let again = AccountsList(document: AccountsList.text(of: list.accounts))
            precondition(again.faults.isEmpty && again.accounts == list.accounts, "accounts that do not come back")
        },
    ]

    private static let ordinary = Settings(defaultsFor: .system)

    private static func read(_ bytes: [UInt8], _ scope: Settings.Scope) {
        // A file with anything else is refused before it is read.
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        use(text, scope)
    }

    /// Reads the settings, and makes of them what batond and its agent are told.
    private static func use(
        _ text: String, _ scope: Settings.Scope, layers: [SettingsLayer] = [], apps: [AppFile] = []
    ) {
        do throws(SettingsFaults) {
            let parsed = try Settings.parse(
                text, file: "/etc/baton/baton.yaml", scope: scope, layers: layers, apps: apps)
            for fault in parsed.appFaults + parsed.warnings { check(fault) }
            let settings = parsed.settings
            _ = (Policy(settings), try? AgentConfiguration(AgentConfiguration(settings).dictionary))
            _ = SettingsChange(from: ordinary, to: settings, start: ordinary, isInUse: true).report.dictionary
        } catch {
            precondition(!error.all.isEmpty, "refused without a reason")
            for fault in error.all { check(fault) }
        }
    }

    /// Nothing moves a cursor, or begins a line that looks like another message.
    private static func check(_ fault: SettingsFault) {
        let text = fault.description
        precondition(
            !text.isEmpty && text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F },
            "a fault that a terminal would obey")
    }
}
