import LinuxSystem

/// Users and groups by name and number, as this machine knows them.
enum UserName {
    static func id(of name: String) -> UInt32? { UserAccount(named: name)?.id }

    static func idOfGroup(_ name: String) -> UInt32? { UserGroup(named: name)?.id }

    static func isMember(_ user: String, of group: String) -> Bool {
        guard let account = UserAccount(named: user), let group = UserGroup(named: group) else { return false }
        return account.group == group.id || group.members.contains(account.name)
    }

    /// The number where it has no name.
    static func of(_ id: UInt32) -> String { UserAccount(id: id)?.name ?? "uid \(id)" }
}
