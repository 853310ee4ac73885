internal import LocalAccounts
internal import Synchronization

/// Who may administer, as the settings said when they were read last.
///
/// What their names stand for may come from a directory in the network, which takes its time to answer or does not answer at
/// all: it is asked once for each reading of the settings, and on no thread that anybody waits for.
final class Administrators: Sendable {
    private let access: Mutex<Access>

    init(_ access: Access) { self.access = Mutex(access) }

    func contains(_ caller: Principal) -> Bool {
        access.withLock { $0 }.isAdministrator(user: caller.user, groups: caller.groups)
    }

    func replace(_ new: Access) { access.withLock { $0 = new } }

    /// Asks the machine what the names of the settings stand for.
    static func look(_ settings: Settings, owner: UInt32?) async -> Access {
        await OwnThread.run { Access(settings.administrators, owner: owner) }
    }
}
