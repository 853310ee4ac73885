import BusTesting
import Clearing
public import DBus
import LinuxSystem
import Synchronization
import Vocabulary

extension ObjectPath: VariantConvertible {
    public var variant: Variant { .objectPath(self) }

    public init?(_ variant: Variant) {
        guard let path = variant.objectPath else { return nil }
        self = path
    }
}

/// A Secret Service with one collection, which tells of its items what a test lets it tell.
struct ScriptedSecretService: Sendable {
    struct Item: Sendable {
        var created: UInt64?
        var isLocked = false
        var schema = "org.example"
        /// The service lists it, and answers each question about it with an error.
        var isShown = true
        /// Only the first question about it is answered, and it cannot be deleted.
        var isShownOnce = false
        /// It is in the first list only.
        var isFleeting = false
    }

    private static let service: ObjectPath = "/org/freedesktop/secrets"
    private static let collection: ObjectPath = "/org/freedesktop/secrets/collection/login"

    let items: [Item]
    var listsCollections = true
    var showsCollection = true
    var listsItems = true

    /// What a holder that is given a connection to it reports.
    func report(of holder: @Sendable (Connection) -> any SharedHolder) async throws -> HolderReport {
        try await withPrivateBus { bus in
            let server = try await bus.connect()
            try await serve(on: server)
            try await server.own("org.freedesktop.secrets")
            let report = await holder(try await bus.connect()).clear(TurnStart(), limit: TimeLimit(.seconds(20)))
            await server.close()
            return report
        }
    }

    private func serve(on server: Connection) async throws {
        var service = ServedObject()
        service.property(Property<String>("org.freedesktop.Secret.Service", "Name")) { _ in "scripted" }
        if listsCollections {
            service.property(Property<[ObjectPath]>("org.freedesktop.Secret.Service", "Collections")) { _ in
                [Self.collection]
            }
        }
        try await server.serve(service, at: Self.service)
        guard showsCollection else { return }
        let paths = try items.indices.map { index in
            guard let path = ObjectPath("\(Self.collection)/\(index)") else { throw TestingError("no path") }
            return path
        }
        let all = zip(paths, items)
        let lists = Mutex(0)
        var collection = ServedObject()
        collection.property(Property<Bool>("org.freedesktop.Secret.Collection", "Locked")) { _ in false }
        if listsItems {
            let lasting = all.filter { !$0.1.isFleeting }.map(\.0)
            collection.property(Property<[ObjectPath]>("org.freedesktop.Secret.Collection", "Items")) { _ in
                lists.withLock { lists in
                    lists += 1
                    return lists == 1 ? paths : lasting
                }
            }
        }
        try await server.serve(collection, at: Self.collection)
        for (path, item) in all where item.isShown { try await server.serve(Self.object(item), at: path) }
    }

    private static func object(_ item: Item) -> ServedObject {
        var object = ServedObject()
        let questions = Mutex(0)
        object.property(Property<Bool>("org.freedesktop.Secret.Item", "Locked")) { _ in
            let question = questions.withLock { questions in
                questions += 1
                return questions
            }
            // GetAll leaves a property out that refuses with an error of the bus; any other ends the call.
            if item.isShownOnce, question > 1 { throw TestingError("asked again") }
            return item.isLocked
        }
        object.property(Property<String>("org.freedesktop.Secret.Item", "Type")) { _ in item.schema }
        if let created = item.created {
            object.property(Property<UInt64>("org.freedesktop.Secret.Item", "Created")) { _ in created }
        }
        return object
    }
}
