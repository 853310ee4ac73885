import BatonMSAL
import BusTesting
import DBus
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import BatonMSAL

/// The calls of Microsoft's tutorials for iOS and macOS, in their shape: that this compiles is half of the test.
private final class Tutorial: Sendable {
    private struct State {
        var applicationContext: MSALPublicClientApplication?
        var currentAccount: MSALAccount?
        var deviceMode: MSALDeviceMode?
        var accessToken = ""
        var lines: [String] = []
    }

    private let kAuthority = "https://login.microsoftonline.com/common"
    private let kScopes: [String] = ["https://graph.microsoft.com/user.read"]
    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)

    var lines: [String] { state.withLock { $0.lines } }
    var accessToken: String { state.withLock { $0.accessToken } }
    private var applicationContext: MSALPublicClientApplication? { state.withLock { $0.applicationContext } }

    func initMSAL(bus: BusAddress) throws {
        guard let authorityURL = URL(string: kAuthority) else { return }
        let authority = try MSALAADAuthority(url: authorityURL)
        let msalConfiguration = MSALPublicClientApplicationConfig(
            clientId: "client", redirectUri: nil, authority: authority)
        let application = try MSALPublicClientApplication(
            configuration: msalConfiguration, appID: "org.example.Tutorial", bus: bus, memory: ParticipationMemory.none
        ) { _ in .cleared }
        state.withLock { $0.applicationContext = application }
    }

    func wait() { done.wait() }

    private func updateLogging(text: String) { state.withLock { $0.lines.append(text) } }

    private func end(_ text: String) {
        updateLogging(text: text)
        done.signal()
    }

    /// As the macOS tutorial finds the account.
    private func firstAccount() -> MSALAccount? {
        guard let applicationContext = self.applicationContext else { return nil }
        do {
            let cachedAccounts = try applicationContext.allAccounts()
            if !cachedAccounts.isEmpty {
                return cachedAccounts.first
            }
        } catch let error as NSError {
            updateLogging(text: "Didn't find any accounts in cache: \(error)")
        }
        return nil
    }

    func callGraphAPI() {
        guard let currentAccount = firstAccount() else {
            acquireTokenInteractively()
            return
        }
        acquireTokenSilently(currentAccount)
    }

    private func acquireTokenInteractively() {
        guard let applicationContext = self.applicationContext else { return }
        let webViewParameters = MSALWebviewParameters()
        webViewParameters.webviewType = .wkWebView
        let parameters = MSALInteractiveTokenParameters(scopes: kScopes, webviewParameters: webViewParameters)
        parameters.promptType = .selectAccount
        applicationContext.acquireToken(with: parameters) { (result, error) in
            if let error = error {
                self.end("Could not acquire token: \(error)")
                return
            }
            guard let result = result else {
                self.end("Could not acquire token: No result returned")
                return
            }
            self.state.withLock { $0.accessToken = result.accessToken }
            self.end("interactively as \(result.account.accountClaims?["name"] as? String ?? "")")
        }
    }

    private func acquireTokenSilently(_ account: MSALAccount!) {
        guard let applicationContext = self.applicationContext else { return }
        let parameters = MSALSilentTokenParameters(scopes: kScopes, account: account)
        applicationContext.acquireTokenSilent(with: parameters) { (result, error) in
            if let error = error {
                let nsError = error as NSError
                if nsError.domain == MSALErrorDomain {
                    if nsError.code == MSALError.interactionRequired.rawValue {
                        self.updateLogging(text: "interaction required")
                        DispatchQueue.global().async {
                            self.acquireTokenInteractively()
                        }
                        return
                    }
                }
                self.end("Could not acquire token silently: \(error)")
                return
            }
            guard let result = result else {
                self.end("Could not acquire token: No result returned")
                return
            }
            self.state.withLock { $0.accessToken = result.accessToken }
            self.end("silently")
        }
    }

    /// As the shared device tutorial asks for it.
    func loadCurrentAccount() {
        guard let applicationContext = self.applicationContext else { return }
        let msalParameters = MSALParameters()
        msalParameters.completionBlockQueue = DispatchQueue(label: "tutorial")
        applicationContext.getCurrentAccount(
            with: msalParameters,
            completionBlock: { (currentAccount, previousAccount, error) in
                if let error = error {
                    self.end("Couldn't query current account with error: \(error)")
                    return
                }
                self.state.withLock { $0.currentAccount = currentAccount }
                self.end(
                    "current \(currentAccount?.username ?? "nobody"), previous \(previousAccount?.username ?? "nobody")"
                )
            })
    }

    func getDeviceMode() {
        guard let applicationContext = self.applicationContext else { return }
        applicationContext.getDeviceInformation(
            with: nil,
            completionBlock: { (deviceInformation, error) in
                guard let deviceInfo = deviceInformation else { return }
                self.state.withLock { $0.deviceMode = deviceInfo.deviceMode }
                self.end(
                    deviceInfo.deviceMode == .shared ? "shared" : deviceInfo.deviceMode == .default ? "private" : "?")
            })
    }

    func signOut() {
        guard let applicationContext = self.applicationContext else { return }
        guard let account = state.withLock({ $0.currentAccount }) else { return }
        let signoutParameters = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
        signoutParameters.signoutFromBrowser = false
        applicationContext.signout(
            with: account, signoutParameters: signoutParameters,
            completionBlock: { (success, error) in
                if let error = error {
                    self.end("Couldn't sign out account with error: \(error.localizedDescription)")
                    return
                }
                self.state.withLock { $0.accessToken = "" }
                self.end("signed out: \(success)")
            })
    }

    /// As the older tutorial signs out.
    func removeAccount() {
        guard let applicationContext = self.applicationContext, let account = firstAccount() else { return }
        do {
            try applicationContext.remove(account)
            end("removed")
        } catch let error as NSError {
            end("Received error signing account out: \(error)")
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct TutorialTests {
    /// Presses a button and waits until its last block has run.
    private func press(_ app: Tutorial, _ button: @escaping @Sendable (Tutorial) -> Void) async -> [String] {
        await onThreadOfItsOwn {
            let count = app.lines.count
            button(app)
            app.wait()
            return Array(app.lines.dropFirst(count))
        }
    }

    @Test func `the tutorials' flow, from nobody to signed out`() async throws {
        try await withPrivateBus { bus in
            let device = try await FakeDevice(on: bus.address)
            device.set { state in
                state.token = { call in
                    if call.isSilent { throw BatonError(.interactionRequired, "Ask.") }
                    device.set {
                        $0.account = ClientFixture.ana
                        $0.phase = .inUse
                        $0.epoch = 5
                    }
                    return ClientFixture.token()
                }
                state.signOut = { ClientFixture.receipt(.cleared) }
            }
            let app = Tutorial()
            try app.initMSAL(bus: bus.address)
            #expect(await press(app) { $0.getDeviceMode() } == ["shared"])
            #expect(await press(app) { $0.loadCurrentAccount() } == ["current nobody, previous nobody"])
            #expect(await press(app) { $0.callGraphAPI() } == ["interactively as Ana Horvat"])
            #expect(app.accessToken == "canary")
            #expect(
                await press(app) { $0.callGraphAPI() } == ["interaction required", "interactively as Ana Horvat"])
            device.set { $0.token = { _ in ClientFixture.token(access: "next") } }
            #expect(await press(app) { $0.callGraphAPI() } == ["silently"])
            #expect(app.accessToken == "next")
            #expect(await press(app) { $0.loadCurrentAccount() } == ["current ana, previous nobody"])
            #expect(await press(app) { $0.signOut() } == ["signed out: true"])
            device.set { $0.signOut = { ClientFixture.receipt(.quarantined) } }
            #expect(await press(app) { $0.signOut() }.first?.hasPrefix("Couldn't sign out account with error") == true)
            #expect(await press(app) { $0.removeAccount() } == ["removed"])
            await device.close()
        }
    }
}
