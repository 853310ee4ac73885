import Vocabulary

// What doctor says of polkit.
extension Text.Doctor {
    static let polkitDecides = "polkit decides about administrators whom the settings do not name"
    static func noPolkit(_ named: [String]) -> String {
        "there is no polkit; administrators are root and whom the settings name: \(named.joined(separator: ", ").printable)"
    }
    static let noPolkitNorAdministrators =
        "there is no polkit, and the settings name no other administrator than root"
    static let installPolkit =
        "apt install polkitd, or name administrators in the settings (\(SettingsKey.administrators)); then batonctl reload"
    static let noPolkitSettingsHidden =
        "there is no polkit, and only root may read whether the settings name administrators"
    static let polkitIsHidden = "the bus does not let this user ask polkit"
    static func polkitFails(_ cause: String) -> String {
        "polkit is installed and does not answer, so batond refuses whom the settings do not name: \(cause.printable)"
    }
    static let unmaskPolkit = "systemctl unmask polkit; systemctl start polkit"
    static let restartPolkit = "systemctl restart polkit; journalctl --no-pager --lines 20 --unit polkit"
    static func polkitKnowsNot(_ actions: [String], of all: Int) -> String {
        let names = actions.count == all ? "none of Baton's actions" : "no \(actions.joined(separator: ", "))"
        return "polkit knows \(names), so batond refuses whom the settings do not name: org.baton.policy is missing or "
            + "of another version"
    }
    static func polkitRefuses(_ service: String) -> String {
        "polkit does not answer batond, which runs as \(service.printable): org.baton.policy names another owner of its actions"
    }
    static func nameOwner(_ service: String) -> String {
        service == "baton"
            ? installAgain
            : "name unix-user:\(service.printable) as the owner in /usr/share/polkit-1/actions/org.baton.policy"
    }
}
