import BusTesting
import Clearing
public import DBus
import LinuxSystem
import Testing
import Vocabulary

extension ObjectPath: VariantConvertible {
    public var variant: Variant { .objectPath(self) }

    public init?(_ variant: Variant) {
        guard let path = variant.objectPath else { return nil }
        self = path
    }
}

/// A Secret Service that has one item and need not tell when it was written.
@Suite(.timeLimit(.minutes(1)))
struct UndatedSecretTests {
    private static let service: ObjectPath = "/org/freedesktop/secrets"
    private static let collection: ObjectPath = "/org/freedesktop/secrets/collection/login"
    private static let item: ObjectPath = "/org/freedesktop/secrets/collection/login/1"

    private func report(created: UInt64?, isLocked: Bool = false) async throws -> HolderReport {
        try await withPrivateBus { bus in
            let server = try await bus.connect()
            var service = ServedObject()
            service.property(Property<[ObjectPath]>("org.freedesktop.Secret.Service", "Collections")) { _ in
                [Self.collection]
            }
            try await server.serve(service, at: Self.service)
            var collection = ServedObject()
            collection.property(Property<[ObjectPath]>("org.freedesktop.Secret.Collection", "Items")) { _ in
                [Self.item]
            }
            try await server.serve(collection, at: Self.collection)
            var item = ServedObject()
            item.property(Property<Bool>("org.freedesktop.Secret.Item", "Locked")) { _ in isLocked }
            if let created {
                item.property(Property<UInt64>("org.freedesktop.Secret.Item", "Created")) { _ in created }
            }
            try await server.serve(item, at: Self.item)
            try await server.own("org.freedesktop.secrets")
            let holder = KeyringHolder(connection: try await bus.connect())
            let report = await holder.clear(TurnStart(), limit: TimeLimit(.seconds(20)))
            await server.close()
            return report
        }
    }

    @Test(arguments: [nil, 0])
    func `an item of which the service does not say when it was written is not called clean`(
        created: UInt64?
    ) async throws {
        let report = try await report(created: created)
        #expect(report.outcome == .unchecked)
        #expect(report.explanation == "the service does not say when 1 item was written, which is left")
    }

    @Test func `an item that is older than the turn is left and clean`() async throws {
        #expect(try await report(created: 1_000_000_000) == HolderReport("keyring", .clean))
    }

    @Test func `a locked item of unknown age is clean as long as no file of the keyrings changed`() async throws {
        #expect(try await report(created: nil, isLocked: true) == HolderReport("keyring", .clean))
    }
}
