import Glibc

/// The system bus's policy, which lets nobody but `baton` be the supervisor, and the users that it names.
enum PolicyLook {
    private static let file = "org.baton.Device1.conf"
    private static let folders = [
        "/etc/dbus-1/system.d", "/usr/share/dbus-1/system.d", "/usr/local/share/dbus-1/system.d",
    ]

    static func findings() -> [Finding] {
        let places: [String] = folders.map { "\($0)/\(file)" }
        let found = places.first { access($0, F_OK) == 0 }
        let policy: Finding =
            found.map { .ok("policy", Text.Doctor.policyIsThere($0)) }
            ?? .wrong("policy", Text.Doctor.noPolicy(file), Text.Doctor.installPolicy)
        let missing = ["baton", "kiosk"].filter { UserName.id(of: $0) == nil }
        let users: Finding =
            missing.isEmpty
            ? .ok("users", Text.Doctor.usersAreThere)
            : .wrong("users", Text.Doctor.noUsers(missing), Text.Doctor.makeUsers)
        return [policy, users]
    }
}
