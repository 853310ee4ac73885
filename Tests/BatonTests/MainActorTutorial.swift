import BatonMSAL
import BusTesting
import DBus
import Dispatch
import Foundation
import Testing

@testable import BatonMSAL

/// The tutorials' view controller, in Swift 6 mode and on the main actor, as a graphical app has it.
@MainActor private final class MainActorTutorial {
    var applicationContext: MSALPublicClientApplication?
    var currentAccount: MSALAccount?
    var accessToken = ""
    var log = ""
    private let (ended, end) = AsyncStream.makeStream(of: Void.self)

    func initMSAL(bus: BusAddress) throws {
        let configuration = MSALPublicClientApplicationConfig(clientId: "client", redirectUri: nil, authority: nil)
        applicationContext = try MSALPublicClientApplication(
            configuration: configuration, appID: "org.example.Tutorial", bus: bus, memory: ParticipationMemory.none
        ) { _ in
            await self.forget()
            return .cleared
        }
    }

    private func forget() { accessToken = "" }

    /// Returns when the last block has run.
    func wait() async {
        var ends = ended.makeAsyncIterator()
        _ = await ends.next(isolation: #isolation)
    }

    func getDeviceMode() {
        guard let applicationContext = self.applicationContext else { return }
        applicationContext.getDeviceInformation(
            with: nil,
            completionBlock: { (deviceInformation, error) in
                guard let deviceInfo = deviceInformation else { return }
                self.updateLogging(text: deviceInfo.deviceMode == .shared ? "shared" : "private")
            })
    }

    func loadCurrentAccount() {
        guard let applicationContext = self.applicationContext else { return }
        let msalParameters = MSALParameters()
        msalParameters.completionBlockQueue = DispatchQueue.main
        applicationContext.getCurrentAccount(
            with: msalParameters,
            completionBlock: { (currentAccount, previousAccount, error) in
                self.currentAccount = currentAccount
                self.updateLogging(text: currentAccount?.username ?? "nobody")
            })
    }

    func acquireToken() {
        guard let applicationContext = self.applicationContext else { return }
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["user.read"], webviewParameters: MSALWebviewParameters())
        applicationContext.acquireToken(with: parameters) { (result, error) in
            guard let result = result else { return self.updateLogging(text: "\(String(describing: error))") }
            self.accessToken = result.accessToken
            self.updateLogging(text: "token")
        }
    }

    func updateLogging(text: String) {
        log = text
        end.yield()
    }
}

extension TutorialTests {
    @Test @MainActor func `the tutorial's code runs on the main actor in Swift 6 mode`() async throws {
        try await withPrivateBus { bus in
            let device = try await FakeDevice(
                on: bus.address,
                .init(phase: .inUse, epoch: 5, account: ClientFixture.ana, token: { _ in ClientFixture.token() }))
            let app = MainActorTutorial()
            try app.initMSAL(bus: bus.address)
            app.getDeviceMode()
            await app.wait()
            #expect(app.log == "shared")
            app.loadCurrentAccount()
            await app.wait()
            #expect(app.log == "ana" && app.currentAccount?.username == "ana")
            app.acquireToken()
            await app.wait()
            #expect(app.log == "token" && app.accessToken == "canary")
            await device.close()
        }
    }
}
