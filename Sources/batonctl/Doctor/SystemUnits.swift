import Glibc
import Subprocess

/// Baton's units as systemd knows them.
struct SystemUnits: Sendable, Equatable {
    struct Unit: Sendable, Equatable {
        /// `loaded`, `not-found`, `masked`.
        var load: String
        /// `active`, `activating`, `inactive`, `failed`.
        var active: String
        /// `enabled`, `disabled`, `masked`; empty where there is no such unit.
        var file: String
        var user: String
        var group: String

        var isThere: Bool { load != "not-found" && !load.isEmpty }
        var isMasked: Bool { load == "masked" || file == "masked" || file == "masked-runtime" }
        /// Whether it is started with the terminal; one that is only to be started by others counts as such.
        var isEnabled: Bool { file != "disabled" && file != "enabled-runtime" && !file.isEmpty }
        var runs: Bool { active == "active" || active == "activating" || active == "reloading" }
    }

    private static let fields = ["Id", "LoadState", "ActiveState", "UnitFileState", "User", "Group"]
    static let names = ["batond", "baton-agent", "baton-kiosk"]

    let batond: Unit
    let agent: Unit
    /// The desktop that Baton brings; others do without it.
    let kiosk: Unit

    /// Nil: systemd does not answer.
    static func ask() async -> SystemUnits? {
        let result = try? await Subprocess.run(
            .name("systemctl"),
            arguments: Arguments(
                ["show", "--property=\(fields.joined(separator: ","))"] + names.map { "\($0).service" }),
            input: .none, output: .string(limit: 65536), error: .discarded)
        guard let result, case .exited(0) = result.terminationStatus else { return nil }
        return SystemUnits(result.standardOutput)
    }

    /// - Parameter text: What systemctl prints: a block for each, of lines such as `LoadState=loaded`.
    init?(_ text: String) {
        var units: [String: Unit] = [:]
        var values: [Substring: String] = [:]
        let lines: [Substring] = text.split(separator: "\n", omittingEmptySubsequences: false) + [""]
        for line in lines {
            guard let sign = line.firstIndex(of: "=") else {
                if let id = values["Id"] {
                    units[id] = Unit(
                        load: values["LoadState"] ?? "", active: values["ActiveState"] ?? "",
                        file: values["UnitFileState"] ?? "", user: values["User"] ?? "", group: values["Group"] ?? "")
                }
                values = [:]
                continue
            }
            values[line[..<sign]] = String(line[line.index(after: sign)...])
        }
        guard let batond = units["batond.service"], let agent = units["baton-agent.service"],
            let kiosk = units["baton-kiosk.service"]
        else { return nil }
        (self.batond, self.agent, self.kiosk) = (batond, agent, kiosk)
    }
}
