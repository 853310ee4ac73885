// Microsoft's tutorial for iOS and macOS, with lines on a terminal for its buttons and its text view. The calls are the
// tutorial's; what a shared device wants more is the clear handler of `initMSAL`.

import BatonMSAL
import Dispatch
import Foundation
import Synchronization

final class GraphApp: Sendable {
    /// What the app holds of the worker.
    private struct Holding {
        var accessToken = ""
        var currentAccount: MSALAccount?
        var applicationContext: MSALPublicClientApplication?
        var hasFailed = false
    }

    private let options: Options
    private let holding = Mutex(Holding())
    /// An action is under way until its last block has run.
    private let busy = DispatchGroup()

    init(_ options: Options) { self.options = options }

    var hasFailed: Bool { holding.withLock { $0.hasFailed } }
    private var applicationContext: MSALPublicClientApplication? { holding.withLock { $0.applicationContext } }
    private var currentAccount: MSALAccount? { holding.withLock { $0.currentAccount } }

    // MARK: Initialization

    func initMSAL() throws {
        var authority: MSALAuthority?
        if let text = options.authority {
            guard let authorityURL = URL(string: text) else { throw CocoaError(.formatting) }
            authority = try MSALAADAuthority(url: authorityURL)
        }
        let msalConfiguration = MSALPublicClientApplicationConfig(
            clientId: options.clientID, redirectUri: nil, authority: authority)
        let application = try MSALPublicClientApplication(configuration: msalConfiguration, appID: options.appID) {
            [weak self] _ in
            self?.forget() == true ? .cleared : .nothingToClear
        }
        holding.withLock { $0.applicationContext = application }
    }

    /// False when there was nothing.
    private func forget() -> Bool {
        holding.withLock { holding in
            let held = !holding.accessToken.isEmpty || holding.currentAccount != nil
            holding.accessToken = ""
            holding.currentAccount = nil
            return held
        }
    }

    // MARK: The buttons

    /// Returns when the action is done.
    func perform(_ action: String) {
        busy.enter()
        switch action {
        case "call": callGraphAPI()
        case "account": loadCurrentAccount { [self] _ in busy.leave() }
        case "device": getDeviceMode()
        case "sign-out": loadCurrentAccount { [self] _ in signOut() }
        default: fail("There is no '\(action)': call, account, device or sign-out.")
        }
        busy.wait()
    }

    func end() {
        guard let applicationContext else { return }
        busy.enter()
        Task {
            await applicationContext.end()
            busy.leave()
        }
        busy.wait()
    }

    private func callGraphAPI() {
        loadCurrentAccount { [self] account in
            guard let currentAccount = account else {
                // No worker is signed in, so one must sign in.
                acquireTokenInteractively()
                return
            }
            acquireTokenSilently(currentAccount)
        }
    }

    // MARK: Acquiring and using a token

    private func acquireTokenInteractively() {
        guard let applicationContext else { return fail("There is no application.") }
        let parameters = MSALInteractiveTokenParameters(
            scopes: options.scopes, webviewParameters: MSALWebviewParameters())
        parameters.promptType = .promptIfNecessary
        updateLogging(text: "Waiting for the worker on the provider's page.")
        applicationContext.acquireToken(with: parameters) { [self] (result, error) in
            if let error = error {
                fail("Could not acquire a token: \(error.localizedDescription)")
                return
            }
            guard let result = result else {
                fail("Could not acquire a token: no result returned")
                return
            }
            received(result, "after a page")
        }
    }

    private func acquireTokenSilently(_ account: MSALAccount) {
        guard let applicationContext else { return fail("There is no application.") }
        let parameters = MSALSilentTokenParameters(scopes: options.scopes, account: account)
        applicationContext.acquireTokenSilent(with: parameters) { [self] (result, error) in
            if let error = error {
                let nsError = error as NSError
                if nsError.domain == MSALErrorDomain {
                    if nsError.code == MSALError.interactionRequired.rawValue {
                        acquireTokenInteractively()
                        return
                    }
                }
                fail("Could not acquire a token silently: \(error.localizedDescription)")
                return
            }
            guard let result = result else {
                fail("Could not acquire a token: no result returned")
                return
            }
            received(result, "silently")
        }
    }

    private func received(_ result: MSALResult, _ how: String) {
        holding.withLock { holding in
            holding.accessToken = result.accessToken
            holding.currentAccount = result.account
        }
        let name = result.account.accountClaims?["name"] as? String ?? result.account.username ?? "a worker"
        updateLogging(text: "Got a token for \(name) \(how).")
        getContentWithToken()
    }

    private func getContentWithToken() {
        let (uri, accessToken) = (options.graphURI, holding.withLock { $0.accessToken })
        Task {
            do {
                let result = try await ProtectedAddress.content(of: uri, accessToken: accessToken)
                updateLogging(text: "Result from \(uri): \(result)")
                busy.leave()
            } catch {
                fail("Couldn't get \(uri): \(error)")
            }
        }
    }

    // MARK: Account and device

    private func loadCurrentAccount(completion: @escaping @Sendable (MSALAccount?) -> Void) {
        guard let applicationContext else { return fail("There is no application.") }
        let msalParameters = MSALParameters()
        msalParameters.completionBlockQueue = DispatchQueue.global()
        applicationContext.getCurrentAccount(with: msalParameters) { [self] (currentAccount, previousAccount, error) in
            if let error = error {
                fail("Couldn't query the current account: \(error.localizedDescription)")
                return
            }
            holding.withLock { $0.currentAccount = currentAccount }
            if let currentAccount {
                updateLogging(text: "\(currentAccount.username ?? "A worker") holds the device.")
            } else if let previousAccount {
                updateLogging(text: "The device is free. Before, \(previousAccount.username ?? "a worker") held it.")
            } else {
                updateLogging(text: "The device is free.")
            }
            completion(currentAccount)
        }
    }

    private func getDeviceMode() {
        guard let applicationContext else { return fail("There is no application.") }
        applicationContext.getDeviceInformation(with: nil) { [self] (deviceInformation, error) in
            guard let deviceInfo = deviceInformation, error == nil else {
                fail("Device info not returned: \(error?.localizedDescription ?? "no reason given")")
                return
            }
            let isSharedDevice = deviceInfo.deviceMode == .shared
            updateLogging(text: "Received device info. Device is in the \(isSharedDevice ? "shared" : "private") mode.")
            for (key, value) in deviceInfo.extraDeviceInformation.sorted(by: { $0.key < $1.key }) {
                updateLogging(text: "  \(key): \(value)")
            }
            busy.leave()
        }
    }

    // MARK: Signing out

    private func signOut() {
        guard let applicationContext else { return fail("There is no application.") }
        guard let account = currentAccount else {
            busy.leave()
            return
        }
        let signoutParameters = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
        signoutParameters.signoutFromBrowser = true
        applicationContext.signout(with: account, signoutParameters: signoutParameters) { [self] (_, error) in
            if let error = error {
                fail("Couldn't sign out: \(error.localizedDescription)")
                return
            }
            updateLogging(text: "Sign out completed successfully")
            busy.leave()
        }
    }

    // MARK: The text view

    func updateLogging(text: String) {
        say(String(text.map { $0.isNewline || $0 == "\u{1B}" ? " " : $0 }))
    }

    private func fail(_ text: String) {
        updateLogging(text: text)
        holding.withLock { $0.hasFailed = true }
        busy.leave()
    }
}
