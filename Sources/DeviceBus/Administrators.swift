package import DBus
import LinuxSystem
import Providers
package import Settings
import Synchronization

/// Who may administer, as the settings said when they were read last.
///
/// What their names stand for may come from a directory in the network, which takes its time to answer or does not answer at
/// all: it is asked once for each reading of the settings, and on no thread that a caller waits for.
package final class Administrators: Sendable {
    private let access: Mutex<Access>
    /// For the names that the machine does not know yet.
    private let search = Mutex<Task<Void, Never>?>(nil)

    package init(_ access: Access) { self.access = Mutex(access) }

    package var current: Access { access.withLock(\.self) }

    func ground(_ caller: Principal) -> Ground? { current.ground(user: caller.user, groups: caller.groups) }

    /// - Parameter again: Asks once more. A directory may not be there yet when the machine starts, and a user whom it does
    ///   not know cannot administer.
    package func replace(
        _ new: Access, again: @escaping @Sendable () async -> Access?, on thread: BusThread,
        pause: Duration = .seconds(30)
    ) {
        search.withLock { search in
            search?.cancel()
            access.withLock { $0 = new }
            guard !new.unknown.isEmpty else { return search = nil }
            search = Task(executorPreference: thread.tasks) {
                while (try? await thread.sleep(for: pause)) != nil {
                    // One that hangs is not asked again, or each time would leave a thread behind.
                    guard let found = await again(), self.take(found) else { return }
                }
            }
        }
    }

    /// Whether there is still a name to be looked for.
    private func take(_ found: Access) -> Bool {
        search.withLock { _ in
            // Other settings have come meanwhile.
            guard !Task.isCancelled else { return false }
            access.withLock { $0 = found }
            return !found.unknown.isEmpty
        }
    }

    /// Asks the machine what the names of the settings stand for; nil when it does not say within that time.
    package static func look(_ settings: Settings, owner: UInt32?, on thread: BusThread, limit: Duration = .seconds(20))
        async
        -> Access?
    {
        // No directory has to be asked who root is.
        guard settings.administrators != [.user("root")] else { return Access([], owner: owner) }
        return await bounded(limit, on: thread, by: thread.tasks) {
            await OwnThread.runAlways { Access(settings.administrators, owner: owner) }
        }
    }
}
