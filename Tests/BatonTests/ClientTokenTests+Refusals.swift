import BatonMSAL
import BusTesting
import DBus
import Foundation
import Testing

@testable import BatonMSAL

/// What an app hears when there is no token, or no batond.
extension ClientTokenTests {
    @Test func `an app that the device does not want is told why`() async throws {
        let state = FakeDevice.State(refuseRegistration: BatonError(.notAuthorized, "Show the token."))
        try await ClientFixture.with(state) { test in
            do {
                _ = try await test.application.acquireToken(forScopes: [])
                Issue.record("it got a token")
            } catch let error as NSError {
                #expect(error.localizedDescription == "Show the token.")
                #expect(
                    error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.unauthorizedClient.rawValue)
            }
        }
    }

    @Test func `without batond the mode is unknown and calls say what to do`() async throws {
        try await withPrivateBus { bus in
            let application = try PublicClientApplication(
                clientId: "client", appID: "org.example.Till", bus: bus.address, memory: ParticipationMemory.none
            ) { _ in .cleared }
            #expect(await application.deviceMode == .unknown)
            let account = ClientAccount(ClientFixture.ana)
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await application.allAccounts() }, { _ = try await application.getCurrentAccount() },
                { _ = try await application.deviceInformation }, { _ = try await application.signOut() },
                { _ = try await application.acquireToken(forScopes: []) },
                { _ = try await application.acquireTokenSilent(forScopes: [], account: account) },
            ]
            for call in calls {
                do {
                    try await call()
                    Issue.record("a call without batond")
                } catch let error as NSError {
                    #expect(error.localizedDescription.contains("Start batond"), "\(error)")
                }
            }
        }
    }

    @Test func `without batond there is no device information, so that a guard stops there`() async throws {
        try await withPrivateBus { bus in
            let application = try PublicClientApplication(
                clientId: "client", appID: "org.example.Till", bus: bus.address, memory: ParticipationMemory.none
            ) { _ in .cleared }
            let answer = await withCheckedContinuation { continuation in
                application.getDeviceInformation(with: nil) { information, error in
                    continuation.resume(returning: (information, error == nil))
                }
            }
            #expect(answer.0 == nil && !answer.1)
        }
    }

    @Test func `texts name the library's calls, and MSAL's where the app uses those`() async throws {
        try await ClientFixture.with { test in
            test.device.set { state in
                state.token = { _ in
                    throw BatonError(
                        .interactionRequired,
                        "AcquireTokenSilently has no page; call AcquireToken or CancelSignIn. Register.")
                }
            }
            let account = ClientAccount(ClientFixture.ana)
            do {
                _ = try await test.application.acquireTokenSilent(forScopes: [], account: account)
                Issue.record("it got a token")
            } catch let error as NSError {
                #expect(
                    error.localizedDescription.hasPrefix(
                        "acquireTokenSilent has no page; call acquireToken or cancelSignIn. Register. ("))
            }
            let stranger = try await Device.connect(test.bus.address)
            let refused = await #expect(throws: BatonError.self) { try await stranger.acquireTokenSilently() }
            #expect(refused?.code == .notRegistered && refused?.message.contains("call participate") == true)
        }
    }

    @Test func `an app that began before batond gets its token when batond is there`() async throws {
        try await withPrivateBus { bus in
            let application = try PublicClientApplication(
                clientId: "client", appID: "org.example.Till", bus: bus.address, memory: ParticipationMemory.none
            ) { _ in .cleared }
            #expect(await application.deviceMode == .unknown)
            let device = try await FakeDevice(
                on: bus.address,
                .init(phase: .inUse, epoch: 5, account: ClientFixture.ana, token: { _ in ClientFixture.token() }))
            #expect(try await application.acquireToken(forScopes: []).account.username == "ana")
            await device.close()
        }
    }

}
