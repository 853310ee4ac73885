import Clearing
import DBus
import Testing
import Vocabulary

/// A Secret Service that lists what it does not let be read.
@Suite(.timeLimit(.minutes(1)))
struct UnreadSecretTests {
    private static let old = ScriptedSecretService.Item(created: 1_000_000_000)
    private static let hidden = ScriptedSecretService.Item(isShown: false)

    @Test func `an item that cannot be read is not called clean`() async throws {
        let service = ScriptedSecretService(items: [Self.old, Self.hidden])
        let why = "the service does not show 1 item, which is left"
        #expect(
            try await service.report { KeyringHolder(connection: $0) } == HolderReport("keyring", .unchecked, why))
        #expect(
            try await service.report { MicrosoftCacheHolder(connection: $0) }
                == HolderReport("microsoft-cache", .unchecked, why))
    }

    @Test func `all items that cannot be read are counted, beside those without times`() async throws {
        let service = ScriptedSecretService(items: [Self.hidden, .init(), Self.hidden])
        let report = try await service.report { KeyringHolder(connection: $0) }
        #expect(report.outcome == .unchecked)
        #expect(
            report.explanation == "the service does not say when 1 item was written, which is left; "
                + "the service does not show 2 items, which are left")
    }

    @Test func `an item that goes away before it is read is not missed`() async throws {
        let gone = ScriptedSecretService.Item(isShown: false, isFleeting: true)
        let report = try await ScriptedSecretService(items: [Self.old, gone]).report { KeyringHolder(connection: $0) }
        #expect(report == HolderReport("keyring", .clean))
    }

    @Test func `an item of the turn that cannot be read after its deletion was refused is not called removed`()
        async throws
    {
        let item = ScriptedSecretService.Item(created: .max, isShownOnce: true)
        let report = try await ScriptedSecretService(items: [item]).report { KeyringHolder(connection: $0) }
        #expect(report.outcome == .failed)
        #expect(report.explanation == "1 could not be deleted: locked, or the deletion needs a prompt")
    }

    @Test func `a keyring that cannot be read, or does not list its items, is not called clean`() async throws {
        var service = ScriptedSecretService(items: [Self.old])
        service.listsItems = false
        let expected = HolderReport("keyring", .unchecked, "the service does not show 1 keyring, which is left")
        #expect(try await service.report { KeyringHolder(connection: $0) } == expected)
        service.showsCollection = false
        #expect(try await service.report { KeyringHolder(connection: $0) } == expected)
    }

    @Test func `a service that does not list its keyrings is not called clean`() async throws {
        var service = ScriptedSecretService(items: [Self.old])
        service.listsCollections = false
        #expect(
            try await service.report { KeyringHolder(connection: $0) }
                == HolderReport("keyring", .unchecked, "the service does not list its keyrings"))
    }
}
