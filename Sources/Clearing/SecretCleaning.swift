import DBus
import LinuxSystem

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

        var count: Int { collections.count + items.count }
    }

    struct Stop: Error {
        let explanation: String
    }

    func find() async throws -> Found {
        var found = Found()
        let service = try await properties(SecretService.path, SecretService.interface)
        for path in objectPaths(service?["Collections"]) {
            guard let properties = try await properties(path, SecretService.collectionInterface) else { continue }
            let collection = SecretCollection(path, properties)
            let isTaken = takesCollection(collection)
            if isTaken { found.collections.append(path) }
            for path in collection.items {
                guard let properties = try await self.properties(path, SecretService.itemInterface) else { continue }
                let item = SecretItem(properties)
                if takes(item) { found.items.append(path) }
                guard item.isOfUnknownAge else { continue }
                if item.isLocked { found.locked += 1 } else if !isTaken { found.undated += 1 }
            }
        }
        return found
    }

    func delete(_ found: Found) async throws {
        for path in found.items { try await delete(path, SecretService.deleteItem) }
        for path in found.collections { try await delete(path, SecretService.deleteCollection) }
    }

    /// What is refused, or would ask somebody, is left: the next look finds it.
    private func delete(_ path: ObjectPath, _ method: Method<Void, ObjectPath>) async throws {
        guard let prompt = try await tolerating({ try await proxy(path).call(method, timeout: try time()) }),
            prompt != SecretService.noPrompt
        else { return }
        _ = try await tolerating { try await proxy(prompt).call(SecretService.dismissPrompt, timeout: try time()) }
    }

    /// Nil when the object is gone meanwhile.
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
