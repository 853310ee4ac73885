import Synchronization

/// The applications of this process: an answer that comes in by a call of no application's own is for one of them.
enum LiveApplications {
    private struct Entry: Sendable {
        weak let application: PublicClientApplication?
    }

    private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    static func add(_ application: PublicClientApplication) {
        entries.withLock { $0[ObjectIdentifier(application)] = Entry(application: application) }
    }

    static func remove(_ id: ObjectIdentifier) {
        entries.withLock { _ = $0.removeValue(forKey: id) }
    }

    static var all: [PublicClientApplication] { entries.withLock { $0.values.compactMap(\.application) } }
}
