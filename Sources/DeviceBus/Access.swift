package import Settings

/// Who may administer: decided from what the bus says of the caller, never from a message.
package struct Access: Sendable {
    /// On a session bus, whose session it is.
    private var owner: UInt32?
    private var users: Set<UInt32> = []
    private var groups: Set<UInt32> = []
    /// Names in the settings that this machine does not know.
    package private(set) var unknown: [String] = []

    /// - Parameter owner: On a session bus the user whose session it is; every process there has that user's rights anyway.
    package init(_ administrators: [Settings.Administrator], owner: UInt32?) {
        self.owner = owner
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
        self.owner = owner
        self.unknown = unknown.map { administrator in
            switch administrator {
            case .user(let name): name
            case .group(let name): "%\(name)"
            }
        }
    }

    /// On what ground a caller administers; nil: on none that is known here. Root always may.
    ///
    /// - Parameter groups: The groups of the caller's process, as the bus took them from the kernel.
    func ground(user: UInt32, groups: [UInt32]) -> Ground? {
        if user == 0 { return .root }
        if user == owner { return .session }
        return users.contains(user) || !self.groups.isDisjoint(with: groups) ? .settings : nil
    }
}
