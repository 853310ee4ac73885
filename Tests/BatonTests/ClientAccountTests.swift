import BatonMSAL
import BusTesting
import DBus
import Foundation
import Testing

@testable import BatonMSAL

/// Accounts, the device and signing out through `PublicClientApplication`.
@Suite(.timeLimit(.minutes(1))) struct ClientAccountTests {
    private func fault(_ work: () async throws -> Void) async -> NSError? {
        do {
            try await work()
            return nil
        } catch {
            return error as NSError
        }
    }

    @Test func `there is at most one account, found by each of its names`() async throws {
        try await ClientFixture.with { test in
            let app = test.application
            let all = try await app.allAccounts()
            #expect(all.map(\.account) == [ClientFixture.ana])
            #expect(try await app.account(forIdentifier: "o-1.t-1") == all.first)
            #expect(try await app.account(forIdentifier: ClientFixture.ana.id) == all.first)
            #expect(try await app.account(forUsername: "Ana") == all.first)
            #expect(try await app.accounts(for: AccountEnumerationParameters(identifier: "o-1.t-1")) == all)
            #expect(try await app.accounts(for: AccountEnumerationParameters(identifier: nil, username: "ben")).isEmpty)
            let missing = await fault { _ = try await app.account(forUsername: "ben") }
            #expect(missing?.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.accountRequired.rawValue)
            test.device.set { $0.account = nil }
            #expect(try await app.allAccounts().isEmpty)
        }
    }

    @Test func `calls that answer at once wait on their own thread`() async throws {
        try await ClientFixture.with { test in
            let app = test.application
            let names = await onThreadOfItsOwn { () -> [String?] in
                guard let all = try? app.allAccounts(), let one = try? app.account(forUsername: "ana") else {
                    return []
                }
                let listed = try? app.accounts(for: AccountEnumerationParameters(identifier: one.identifier))
                return all.map(\.username) + [one.username] + (listed ?? []).map(\.username)
            }
            #expect(names == ["ana", "ana", "ana"])
            #expect(await onThreadOfItsOwn { (try? app.account(forIdentifier: "nobody")) == nil })
        }
    }

    @Test func `once the app is registered, more threads of the pool than there are may wait at once`() async throws {
        try await ClientFixture.with { test in
            let app = test.application
            _ = try await app.allAccounts()
            let count = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<16 { group.addTask { Self.waiting(app) } }
                return await group.reduce(0, +)
            }
            #expect(count == 16)
        }
    }

    private static func waiting(_ app: PublicClientApplication) -> Int { (try? app.allAccounts().count) ?? 0 }

    @Test func `current and previous account are the device's`() async throws {
        try await ClientFixture.with { test in
            test.device.set { $0.previous = ClientFixture.ben }
            let (current, previous) = try await test.application.getCurrentAccount()
            #expect(current?.username == "ana" && previous?.username == "ben")
        }
    }

    @Test func `an account that the app removed gives it nothing until the worker has answered`() async throws {
        try await ClientFixture.with { test in
            let app = test.application
            test.device.set { $0.token = { _ in ClientFixture.token() } }
            let account = try await app.account(forUsername: "ana")
            try app.remove(account)
            #expect(try await app.allAccounts().isEmpty)
            #expect(try await app.getCurrentAccount().current == account)
            var heard = test.device.heard.makeAsyncIterator()
            let silent = await fault { _ = try await app.acquireTokenSilent(forScopes: [], account: account) }
            #expect(silent?.code == MSALError.interactionRequired.rawValue)
            let parameters = SilentTokenParameters(scopes: [], account: nil)
            #expect(
                await fault { _ = try await app.acquireTokenSilent(with: parameters) }?.code
                    == MSALError.interactionRequired.rawValue)
            _ = try await app.acquireToken(forScopes: [])
            // Nothing was asked silently, and what comes now is new.
            guard case .token(isSilent: false, let sent) = await ClientFixture.next(&heard) else {
                throw TestingError("no request")
            }
            #expect(sent["force-refresh"] == .boolean(true))
            #expect(try await app.allAccounts() == [account])
            _ = try await app.acquireTokenSilent(forScopes: [], account: account)
        }
    }

    @Test func `what the app removed is forgotten with the turn`() async throws {
        try await ClientFixture.with { test in
            let app = test.application
            var heard = test.device.heard.makeAsyncIterator()
            let account = try await app.account(forUsername: "ana")
            try app.remove(account)
            try await test.device.beginSignOut()
            while let item = await heard.next(isolation: #isolation) {
                if case .acknowledged = item { break }
            }
            try await test.device.endSignOut()
            try await test.device.signIn(ClientFixture.ana)
            #expect(try await app.allAccounts() == [account])
        }
    }

    @Test func `information about the device has MSAL's names too`() async throws {
        try await ClientFixture.with { test in
            let information = try await test.application.deviceInformation
            #expect(information.deviceMode == .shared && information.extraDeviceInformation["hostname"] == "fake")
            #expect(await test.application.deviceMode == .shared)
            test.device.set { $0.mode = .personal }
            #expect(try await test.application.deviceInformation.deviceMode == .default)
        }
    }

    // MARK: Signing out

    @Test(arguments: [(Outcome.cleared, true), (.contained, true), (.owed, false), (.quarantined, false)])
    func `a sign-out of the device is a success only when every app is settled`(
        outcome: Outcome, success: Bool
    ) async throws {
        try await ClientFixture.with { test in
            test.device.set { $0.signOut = { ClientFixture.receipt(outcome) } }
            let account = try await test.application.account(forUsername: "ana")
            let result = try await test.application.signOut(account: account)
            #expect(result.success == success && result.receipt?.outcome == outcome && result.mode == .shared)
            #expect(result.explanation.isEmpty == success)
            // As MSAL has it, no success is an error.
            let error = await fault { try await test.application.signout(with: account, signoutParameters: .init()) }
            #expect((error == nil) == success)
        }
    }

    @Test(arguments: [true, false])
    func `a shared device's browser is signed out whatever the app says, and the result says so`(
        fromBrowser: Bool
    ) async throws {
        try await ClientFixture.with { test in
            test.device.set { $0.signOut = { ClientFixture.receipt(.cleared) } }
            var heard = test.device.heard.makeAsyncIterator()
            let parameters = SignoutParameters()
            parameters.signoutFromBrowser = fromBrowser
            let account = try await test.application.account(forUsername: "ana")
            let result = try await test.application.signOut(with: parameters, account: account)
            #expect(result.signoutFromBrowserWasOverridden == !fromBrowser)
            // The turn of this worker, whoever comes meanwhile.
            #expect(
                await ClientFixture.next(&heard) == .signOut(["reason": .string("user"), "epoch": .uint64(5)]))
        }
    }

    @Test func `wiping the account reaches the device`() async throws {
        try await ClientFixture.with { test in
            test.device.set { $0.signOut = { ClientFixture.receipt(.cleared) } }
            var heard = test.device.heard.makeAsyncIterator()
            let parameters = SignoutParameters()
            parameters.wipeAccount = true
            _ = try await test.application.signOut(with: parameters)
            #expect(
                await ClientFixture.next(&heard)
                    == .signOut(["reason": .string("user"), "wipe-account": .boolean(true)]))
        }
    }

    @Test func `the next worker is not signed out by mistake`() async throws {
        try await ClientFixture.with { test in
            let ben = ClientAccount(ClientFixture.ben)
            let error = await fault { _ = try await test.application.signOut(account: ben) }
            #expect(error?.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.mismatchedUser.rawValue)
        }
    }

    @Test func `a sign-out that somebody else was quicker with ended as its receipt says`() async throws {
        for (outcome, success) in [(Outcome.cleared, true), (.quarantined, false)] {
            try await ClientFixture.with(.init()) { test in
                test.device.set { $0.receipts = [ClientFixture.receipt(outcome)] }
                let result = try await test.application.signOut(account: ClientAccount(ClientFixture.ana))
                #expect(result.success == success && result.receipt == nil)
            }
        }
        try await ClientFixture.with(.init()) { test in
            let result = try await test.application.signOut()
            #expect(result.success)
        }
    }

    @Test func `in personal mode only this app is signed out, and the browser is left alone`() async throws {
        let state = FakeDevice.State(phase: .inUse, epoch: 5, account: ClientFixture.ana, mode: .personal)
        try await ClientFixture.with(state) { test in
            let app = test.application
            test.device.set { $0.token = { _ in ClientFixture.token() } }
            let account = try await app.account(forUsername: "ana")
            let result = try await app.signOut(account: account)
            #expect(result.success && result.mode == .personal && !result.signoutFromBrowserWasOverridden)
            #expect(try await app.allAccounts().isEmpty)
            #expect(try await app.getCurrentAccount().current == nil)
            var heard = test.device.heard.makeAsyncIterator()
            _ = try await app.acquireToken(forScopes: [])
            // The device was not asked to sign anybody out, and the worker proves themselves anew.
            guard case .token(isSilent: false, let sent) = await ClientFixture.next(&heard) else {
                throw TestingError("no request")
            }
            #expect(sent["prompt"] == .string("login"))
            #expect(try await app.getCurrentAccount().current == account)
        }
    }

    @Test func `in personal mode a browser that is to be signed out is named as what it is`() async throws {
        let state = FakeDevice.State(phase: .inUse, epoch: 5, account: ClientFixture.ana, mode: .personal)
        try await ClientFixture.with(state) { test in
            let parameters = SignoutParameters()
            parameters.signoutFromBrowser = true
            let result = try await test.application.signOut(with: parameters)
            #expect(!result.success && result.explanation.contains("no browser that Baton could sign out"))
        }
    }

    // MARK: Several accounts

    @Test(arguments: [(DeviceMode.shared, "this device is shared"), (.personal, "")])
    func `an app for several accounts is refused on a shared device`(mode: DeviceMode, text: String) async throws {
        try await withPrivateBus { bus in
            let device = try await FakeDevice(on: bus.address, .init(mode: mode))
            let address = bus.address
            let message = await onThreadOfItsOwn { () -> String in
                let configuration = PublicClientApplicationConfig(clientId: "client")
                configuration.accountMode = .multiple
                do {
                    _ = try PublicClientApplication(
                        configuration: configuration, appID: "org.example.Till", bus: address,
                        memory: ParticipationMemory.none
                    ) { _ in .cleared }
                    return ""
                } catch let error as NSError {
                    return error.localizedDescription
                }
            }
            #expect(text.isEmpty ? message.isEmpty : message.contains(text), "\(message)")
            await device.close()
        }
    }

    @Test func `an app for several accounts is refused too where nobody knows whether the device is shared`() throws {
        let configuration = PublicClientApplicationConfig(clientId: "client")
        configuration.accountMode = .multiple
        do {
            _ = try PublicClientApplication(
                configuration: configuration, appID: "org.example.Till", bus: .address("unix:path=/nowhere"),
                memory: ParticipationMemory.none
            ) { _ in .cleared }
            Issue.record("taken")
        } catch let error as NSError {
            #expect(error.localizedDescription.contains("cannot tell now whether this device is shared"))
        }
    }
}
