import BatonMSAL
import BusTesting
import DBus
import Foundation
import ProviderTesting
import TerminalTesting
import Testing

/// `PublicClientApplication` against a real batond and a real provider.
@Suite("Apps that know MSAL", .timeLimit(.minutes(3)))
struct ClientLibraryTests {
    private let provider: DevelopmentProviderProcess
    private let ward: ProviderTerminal

    init() async throws {
        provider = try await DevelopmentProviderProcess.start()
        ward = try await ProviderTerminal.start(at: provider.issuer)
    }

    private func app(_ id: String) throws -> PublicClientApplication {
        try PublicClientApplication(
            clientId: "client", appID: id, bus: .address(ward.terminal.bus.rawAddress),
            memory: .file("\(ward.terminal.folder)/state/\(id).json")
        ) { _ in .cleared }
    }

    /// Signs in through an app, as the tutorials do.
    private func signIn(
        _ account: ProviderAccount = DevelopmentProviderProcess.ana, through app: PublicClientApplication
    ) async throws -> AuthenticationResult {
        let (browser, device) = (provider.browser(), ward.device)
        let webview = WebviewParameters()
        webview.showStep = { step in
            do {
                try await ProviderTerminal.deliver(try await browser.signIn(at: step.url, as: account), to: device)
            } catch {
                try? await device.cancelSignIn()
            }
        }
        return try await app.acquireToken(with: InteractiveTokenParameters(scopes: [], webviewParameters: webview))
    }

    private func fault(_ work: () async throws -> Void) async -> NSError? {
        do {
            try await work()
            return nil
        } catch {
            return error as NSError
        }
    }

    @Test func `one app signs the worker in, another one has a token without asking them`() async throws {
        let (first, second) = (try app("org.example.First"), try app("org.example.Second"))
        #expect(try await first.allAccounts().isEmpty)
        let result = try await signIn(through: first)
        #expect(result.account.username == "ana" && result.account.accountClaims?["name"] as? String == "Ana Horvat")
        let account = try await second.account(forUsername: "ana")
        #expect(account == result.account)
        let token = try await second.acquireTokenSilent(forScopes: [], account: account)
        let answer = try await WebClient().get(
            "\(provider.issuer)/me", headers: [("Authorization", token.authorizationHeader)])
        #expect(answer.status == 200 && answer.text.contains("Ana Horvat"))
        let ended = try await second.signOut(account: account)
        #expect(ended.success && ended.signoutFromBrowserWasOverridden && ended.receipt?.outcome == .cleared)
        let (current, previous) = try await first.getCurrentAccount()
        #expect(current == nil && previous == account)
        let late = await fault { _ = try await first.acquireTokenSilent(forScopes: [], account: account) }
        #expect(
            late?.domain == MSALErrorDomain && late?.code == MSALError.interactionRequired.rawValue, "\(late as Any)")
    }

    @Test func `an app that comes in the middle of a turn has its token`() async throws {
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        let app = try app("org.example.Late")
        let parameters = SilentTokenParameters(scopes: [], account: nil)
        #expect(try await app.acquireTokenSilent(with: parameters).account.username == "ana")
    }

    @Test func `a token for another worker than the one who holds the device is a mismatch`() async throws {
        let app = try app("org.example.First")
        let ana = try await signIn(through: app).account
        #expect(try await app.signOut(account: ana).success)
        _ = try await signIn(DevelopmentProviderProcess.ben, through: app)
        let silent = await fault { _ = try await app.acquireTokenSilent(forScopes: [], account: ana) }
        #expect(silent?.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.mismatchedUser.rawValue)
        // Nor does she sign him out.
        let other = await fault { _ = try await app.signOut(account: ana) }
        #expect(other?.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.mismatchedUser.rawValue)
        #expect(try await app.allAccounts().first?.username == "ben")
    }

    @Test func `a worker who cancels at the provider is a worker who cancelled`() async throws {
        let app = try app("org.example.First")
        let (browser, device) = (provider.browser(), ward.device)
        let webview = WebviewParameters()
        webview.showStep = { step in
            if let redirect = try? await browser.cancel(at: step.url) {
                try? await ProviderTerminal.deliver(redirect, to: device)
            }
        }
        let parameters = InteractiveTokenParameters(scopes: [], webviewParameters: webview)
        let canceled = await fault { _ = try await app.acquireToken(with: parameters) }
        #expect(canceled?.code == MSALError.userCanceled.rawValue, "\(canceled as Any)")
    }

    @Test func `a task that is cancelled leaves the device ready`() async throws {
        let app = try app("org.example.First")
        let (shown, show) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            let webview = WebviewParameters()
            webview.showStep = { _ in show.yield() }
            return try await app.acquireToken(with: InteractiveTokenParameters(scopes: [], webviewParameters: webview))
        }
        for await _ in shown { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await ward.phase() == .ready)
    }

    @Test func `wiping the account leaves no previous one`() async throws {
        let app = try app("org.example.First")
        let account = try await signIn(through: app).account
        let parameters = SignoutParameters()
        parameters.wipeAccount = true
        #expect(try await app.signOut(with: parameters, account: account).success)
        #expect(try await app.getCurrentAccount().previous == nil)
        #expect(try await ward.device.getCurrentAccount().previous == nil)
    }

    @Test func `apps outlive batond`() async throws {
        let app = try app("org.example.First")
        let account = try await signIn(through: app).account
        #expect(try await app.signOut(account: account).success)
        await ward.daemon.kill()
        #expect(await app.deviceMode == .unknown)
        let again = try await ward.terminal.startDaemon()
        #expect(try await signIn(through: app).account == account)
        await again.kill()
    }
}
