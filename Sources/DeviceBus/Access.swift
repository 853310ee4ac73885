package import Settings

/// Who may administer: decided from what the bus says of the caller, never from a message.
package struct Access: Sendable {
    /// Root always may.
    private var users: Set<UInt32> = [0]
    private var groups: Set<UInt32> = []
    /// Names in the settings that this machine does not know.
    package private(set) var unknown: [String] = []

    /// - Parameter owner: On a session bus the user whose session it is; every process there has that user's rights anyway.
    package init(_ administrators: [Settings.Administrator], owner: UInt32?) {
        if let owner { users.insert(owner) }
        for administrator in administrators {
            switch administrator {
            case .user(let name):
                if let id = SystemAccounts.user(name) { users.insert(id) } else { unknown.append(name) }
            case .group(let name):
                if let id = SystemAccounts.group(name) { groups.insert(id) } else { unknown.append("%\(name)") }
            }
        }
    }

    /// When the machine does not say what the names stand for.
    package init(owner: UInt32?, unknown: [Settings.Administrator]) {
        if let owner { users.insert(owner) }
        self.unknown = unknown.map { administrator in
            switch administrator {
            case .user(let name): name
            case .group(let name): "%\(name)"
            }
        }
    }

    /// - Parameter groups: The groups of the caller's process, as the bus took them from the kernel.
    func isAdministrator(user: UInt32, groups: [UInt32]) -> Bool {
        users.contains(user) || !self.groups.isDisjoint(with: groups)
    }
}
