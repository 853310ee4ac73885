import Baton
import DBus

/// Whether polkit could let others than root administer: it is there, knows what they may ask for, and answers batond.
struct PolkitLook {
    /// As whom batond runs.
    let service: String
    /// How long polkit may take, in seconds: as long as batond waits for it. The bus may have to start it first.
    private static let patience = 10
    private static let name: BusName = "org.freedesktop.PolicyKit1"
    private static let path: ObjectPath = "/org/freedesktop/PolicyKit1/Authority"
    private static let authority: InterfaceName = "org.freedesktop.PolicyKit1.Authority"
    private static let ping = Method("org.freedesktop.DBus.Peer", "Ping")
    private static let owner = "org.freedesktop.policykit.owner"

    func finding() async -> Finding {
        do {
            let connection = try await Connection.open(.system)
            try await connection.call(Self.ping, to: Self.name, at: Self.path, timeout: .seconds(Self.patience))
            await connection.close()
        } catch let error as DBusError {
            return await finding(error)
        } catch {
            return Self.failing(.disconnected)
        }
        guard let actions = await Self.actions() else {
            return .wrong("polkit", Text.Doctor.polkitFails("EnumerateActions"), Text.Doctor.restartPolkit)
        }
        return finding(actions)
    }

    // MARK: It does not answer

    private static let absence: Set<ErrorName> = [
        .serviceUnknown, "org.freedesktop.DBus.Error.Spawn.ServiceNotFound",
    ]

    private func finding(_ error: DBusError) async -> Finding {
        if let name = error.name, Self.absence.contains(name) { return Self.absent(named: await Self.named()) }
        return Self.failing(error)
    }

    static func failing(_ error: DBusError) -> Finding {
        switch error {
        case .reply(.accessDenied, _): .unchecked("polkit", Text.Doctor.polkitIsHidden, Text.Doctor.asRoot)
        case .reply(_, let message) where message.contains("masked"):
            .wrong("polkit", Text.Doctor.polkitFails("\(error)"), Text.Doctor.unmaskPolkit)
        default: .wrong("polkit", Text.Doctor.polkitFails("\(error)"), Text.Doctor.restartPolkit)
        }
    }

    /// A machine without polkit is not broken: the settings may name administrators.
    ///
    /// - Parameter named: Those whom they name beside root; nil: only root may read it.
    static func absent(named: [String]?) -> Finding {
        guard let named else { return .unchecked("polkit", Text.Doctor.noPolkitSettingsHidden, Text.Doctor.asRoot) }
        return named.isEmpty
            ? .warning("polkit", Text.Doctor.noPolkitNorAdministrators, Text.Doctor.installPolkit)
            : .ok("polkit", Text.Doctor.noPolkit(named))
    }

    /// Whom the settings name beside root, as batond reads them; nil: it cannot here.
    private static func named() async -> [String]? {
        guard let batond = ProgramPath.beside("batond"),
            let run = try? await BatondRun(batond, ["--show-settings", "--json"], isSystem: true),
            let listing = run.answer(SettingsListing.self)
        else { return nil }
        let value = listing.settings.first { $0.key == SettingsKey.administrators.name }?.value
        return names(in: value ?? "")
    }

    /// - Parameter list: Such as `[root, "%ward"]`.
    static func names(in list: String) -> [String] {
        list.split { "[], \"'".contains($0) }.map(String.init).filter { $0 != "root" }
    }

    // MARK: It does

    /// What polkit knows of; nil: it does not say.
    private static func actions() async -> [PolkitAction]? {
        let answer = try? await Busctl.call(
            "EnumerateActions", of: authority, at: path, of: name, ["s", ""], seconds: patience, size: 1 << 23)
        return answer.flatMap(PolkitAction.list)
    }

    func finding(_ actions: [PolkitAction]) -> Finding {
        let ours = Dictionary(actions.map { ($0.id, $0) }) { first, _ in first }
        let wanted = AdministratorAction.allCases.map(\.rawValue)
        let missing = wanted.filter { ours[$0] == nil }
        guard missing.isEmpty else {
            return .wrong("polkit", Text.Doctor.polkitKnowsNot(missing, of: wanted.count), Text.Doctor.installAgain)
        }
        // polkit tells nothing about other users but to root and to these.
        let isAnswered = wanted.allSatisfy { id in
            let owners = ours[id]?.annotations[Self.owner]?.split(separator: " ") ?? []
            return service == "root" || owners.contains { $0 == "unix-user:\(service)" }
        }
        return isAnswered
            ? .ok("polkit", Text.Doctor.polkitDecides)
            : .wrong("polkit", Text.Doctor.polkitRefuses(service), Text.Doctor.nameOwner(service))
    }
}
