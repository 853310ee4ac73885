import Clearing
import DBus
import Testing
import Vocabulary

/// A Secret Service that has one item and need not tell when it was written.
@Suite(.timeLimit(.minutes(1)))
struct UndatedSecretTests {
    private func report(created: UInt64?, isLocked: Bool = false) async throws -> HolderReport {
        try await ScriptedSecretService(items: [.init(created: created, isLocked: isLocked)]).report {
            KeyringHolder(connection: $0)
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
