import DBus
import LinuxSystem
import Vocabulary

/// One cleaning of the Secret Service: finds what is to go, deletes it, and finds again.
struct SecretCleaning: Sendable {
    let connection: Connection
    let limit: TimeLimit
    let takes: @Sendable (SecretItem) -> Bool
    let takesCollection: @Sendable (SecretCollection) -> Bool

    struct Found: Sendable {
        var collections: [ObjectPath] = []
        var items: [ObjectPath] = []
        /// Items of unknown age in a locked collection: what was written in the turn shows in the collection's file.
        var locked = 0
        /// Items of unknown age that are not locked, and stay.
        var undated = 0
        /// Items that the service lists and does not let be read: they may be of any age, and stay.
        var unreadItems: [ObjectPath] = []
        /// Keyrings that it lists and does not let be read, or whose items it does not list.
        var unreadKeyrings: [ObjectPath] = []

        var count: Int { collections.count + items.count }

        /// How many of these are still there in a later look, also those that cannot be read in it.
        func count(leftIn later: Found) -> Int {
            let unread =
                Set(items).intersection(later.unreadItems).count
                + Set(collections).intersection(later.unreadKeyrings).count
            return later.count + unread
        }
    }

    struct Stop: Error {
        var outcome = CheckOutcome.failed
        let explanation: String
    }

    func find() async throws -> Found {
        var found = Found()
        guard let collections = try await self.collections() else {
            throw Stop(outcome: .unchecked, explanation: "the service does not list its keyrings")
        }
        var unread: [ObjectPath] = []
        for path in collections {
            guard let collection = try await self.collection(path) else {
                unread.append(path)
                continue
            }
            let isTaken = takesCollection(collection)
            if isTaken { found.collections.append(path) }
            try await find(in: collection, isTaken: isTaken, &found)
        }
        if !unread.isEmpty { found.unreadKeyrings = Self.those(of: unread, stillIn: try await self.collections()) }
        return found
    }

    private func find(in collection: SecretCollection, isTaken: Bool, _ found: inout Found) async throws {
        var unread: [ObjectPath] = []
        for path in collection.items {
            guard let properties = try await properties(path, SecretService.itemInterface) else {
                unread.append(path)
                continue
            }
            let item = SecretItem(properties)
            if takes(item) { found.items.append(path) }
            guard item.isOfUnknownAge else { continue }
            if item.isLocked { found.locked += 1 } else if !isTaken { found.undated += 1 }
        }
        // A keyring that goes takes them with it.
        guard !unread.isEmpty, !isTaken else { return }
        found.unreadItems += Self.those(of: unread, stillIn: try await self.collection(collection.path)?.items)
    }

    /// What could not be read because it is gone is in the list no longer; if there is no list any more, all of it counts.
    private static func those(of unread: [ObjectPath], stillIn listed: [ObjectPath]?) -> [ObjectPath] {
        guard let listed = listed.map(Set.init) else { return unread }
        return unread.filter(listed.contains)
    }

    private func collections() async throws -> [ObjectPath]? {
        objectPaths(try await properties(SecretService.path, SecretService.interface)?["Collections"])
    }

    /// Nil if it cannot be read, or does not say which items it has.
    private func collection(_ path: ObjectPath) async throws -> SecretCollection? {
        try await properties(path, SecretService.collectionInterface).flatMap { SecretCollection(path, $0) }
    }

    func delete(_ found: Found) async throws {
        for path in found.items { try await delete(path, SecretService.deleteItem) }
        for path in found.collections { try await delete(path, SecretService.deleteCollection) }
    }

    /// What is refused, or needs a prompt, is left: the next look finds it.
    private func delete(_ path: ObjectPath, _ method: Method<Void, ObjectPath>) async throws {
        guard let prompt = try await tolerating({ try await proxy(path).call(method, timeout: try time()) }),
            prompt != SecretService.noPrompt
        else { return }
        _ = try await tolerating { try await proxy(prompt).call(SecretService.dismissPrompt, timeout: try time()) }
    }

    /// Nil if the object is gone meanwhile, or the service answers with an error.
    private func properties(_ path: ObjectPath, _ interface: InterfaceName) async throws -> VariantDictionary? {
        try await tolerating {
            try await proxy(path).call(SecretService.properties, interface.rawValue, timeout: try time())
        }
    }

    private func proxy(_ path: ObjectPath) -> Proxy {
        Proxy(connection, SecretService.busName, path, options: .noAutoStart)
    }

    private func time() throws -> Duration {
        let left = limit.milliseconds(cap: 10_000)
        if left == 0 { throw Stop(explanation: "timed out") }
        return .milliseconds(Int(left))
    }

    /// Errors of one object are its own; those of the connection end the cleaning.
    private func tolerating<Value>(_ call: () async throws -> Value) async throws -> Value? {
        if limit.isOver { throw Stop(explanation: "timed out") }
        do {
            return try await call()
        } catch let error as DBusError {
            switch error {
            case .reply(name: .noReply, message: _), .timedOut:
                throw Stop(explanation: "the Secret Service does not answer")
            case .reply(name: .serviceUnknown, message: _), .disconnected:
                throw Stop(explanation: "the Secret Service went away")
            default: return nil
            }
        }
    }
}
