import Baton
import DBus
import Glibc
import ProviderTesting
import TerminalTesting
import Testing
import WebText

@Suite("A token by way of a page", .timeLimit(.minutes(2)))
struct PageTests {
    private static let ana = DevelopmentProviderProcess.ana
    private static let ben = DevelopmentProviderProcess.ben

    private let provider: DevelopmentProviderProcess
    private let ward: ProviderTerminal
    private let app: TokenApp

    init() async throws {
        provider = try await DevelopmentProviderProcess.start(["--delay", "3"])
        ward = try await ProviderTerminal.start(
            at: provider.issuer,
            apps: ["org.example.Shop": "redirect-uri: msauth.org.example.shop://auth\n"])
        app = try await TokenApp.register(ward.terminal)
    }

    private func answer(_ step: SignInStep, as account: ProviderAccount, _ browser: FormBrowser) async throws {
        try await ProviderTerminal.deliver(try await browser.signIn(at: step.url, as: account), to: ward.device)
    }

    @Test func `signs in the device when nobody holds it, and every other app is served without a page`() async throws {
        let other = try await TokenApp.register(ward.terminal, "org.example.Other")
        let ins = try await other.peer.signals(Device1.signedIn)
        let token = try await app.interactively(TokenRequest(correlationID: "mine"), ward, provider.browser())
        #expect(token.epoch > 0 && token.account.username == "ana" && token.correlationID == "mine")
        for try await signedIn in ins {
            #expect(signedIn.values.0 == token.epoch)
            break
        }
        #expect(try await ward.phase() == .inUse)
        #expect(try await other.silently().accessToken == token.accessToken)
        #expect(try await provider.state("authorize") == 1, "what the sign-in asks for needs one page")
    }

    @Test func `asks for what is more than the sign-in's scopes on a second page`() async throws {
        let pages = Pages()
        let browser = provider.browser()
        let token = try await app.interactively(TokenRequest(scopes: ["mail"])) { step in
            pages.note()
            try await answer(step, as: Self.ana, browser)
        }
        #expect(pages.count == 2)
        #expect(token.scopes.contains("mail"))
        #expect(try await app.silently(TokenRequest(scopes: ["mail"])).accessToken == token.accessToken)
        #expect(try await app.silently(TokenRequest(scopes: ["mail"], forceRefresh: true)).scopes.contains("mail"))
        // The sign-in's own scopes go on being served.
        #expect(try await app.silently().scopes.contains("profile"))
        #expect(try await ward.device.signOut().receipt?.provider == .signedOut)
        for kind in ["live_refresh_tokens", "live_access_tokens"] {
            #expect(try await provider.state(kind) == 0, "\(kind)")
        }
    }

    @Test func `what one app was allowed stays good when another is allowed something else`() async throws {
        try await ward.signIn(Self.ana, with: provider.browser())
        let browser = provider.browser()
        let sign = try await app.silently()
        let mail = try await app.interactively(TokenRequest(scopes: ["mail"]), ward, browser)
        let files = try await app.interactively(TokenRequest(scopes: ["files"]), ward, browser)
        #expect(files.scopes.contains("files"))
        #expect(try await app.silently(TokenRequest(scopes: ["mail"], forceRefresh: true)).scopes.contains("mail"))
        #expect(try await app.silently(TokenRequest(scopes: ["files"], forceRefresh: true)).scopes.contains("files"))
        for token in [sign, mail, files] {
            let me = try await WebClient().get(
                "\(provider.issuer)/me", headers: [("authorization", "Bearer \(token.accessToken)")])
            #expect(me.status == 200, "a token that an app holds was revoked in the middle of the turn")
        }
        _ = try await ward.device.signOut()
        #expect(try await provider.state("live_refresh_tokens") == 0)
        #expect(try await provider.state("live_access_tokens") == 0)
    }

    @Test func `consent that is refused after the sign-in leaves the worker signed in`() async throws {
        let browser = provider.browser()
        let pages = Pages()
        let refused = try await refusal {
            try await app.interactively(TokenRequest(scopes: ["mail"], prompt: .consent)) { step in
                pages.note()
                if pages.count == 1 { return try await answer(step, as: Self.ana, browser) }
                try await ProviderTerminal.deliver(try await browser.cancel(at: step.url), to: ward.device)
            }
        }
        #expect(pages.count == 2)
        #expect(refused.code == .serverDeclinedScopes)
        #expect(refused.tokenDetails.declinedScopes == ["mail"])
        #expect(refused.tokenDetails.reason == "consent_declined")
        #expect(try await ward.device.getCurrentAccount().current?.username == "ana")
        _ = try await app.silently()
    }

    @Test func `cancelled before anybody is known leaves the device ready`() async throws {
        let refused = try await refusal {
            try await app.interactively { step in
                try await ProviderTerminal.deliver(try await provider.browser().cancel(at: step.url), to: ward.device)
            }
        }
        #expect(refused.code == .userCanceled && refused.tokenDetails.reason == "access_denied")
        #expect(try await ward.phase() == .ready)
    }

    @Test func `a tenant that wants its administrator's approval is told apart from a worker who says no`()
        async throws
    {
        try await ward.signIn(Self.ana, with: provider.browser())
        try await provider.misbehave("admin-consent-required")
        let refused = try await refusal {
            try await app.interactively(TokenRequest(scopes: ["mail"]), ward, provider.browser())
        }
        #expect(refused.code == .interactionRequired)
        #expect(refused.tokenDetails.reason == "admin_consent_required")
        #expect(refused.message.contains("administrator"))
        #expect(try await ward.phase() == .inUse)
    }

    @Test func `scopes that are granted in part are named, and the granted ones are to be had silently`() async throws {
        try await ward.signIn(Self.ana, with: provider.browser())
        try await provider.misbehave("last-scope-declined")
        let wanted = TokenRequest(scopes: ["mail", "files"])
        let refused = try await refusal { try await app.interactively(wanted, ward, provider.browser()) }
        #expect(refused.code == .serverDeclinedScopes)
        #expect(refused.tokenDetails.declinedScopes == ["files"])
        #expect(refused.tokenDetails.grantedScopes.contains("mail"))
        let token = try await app.silently(TokenRequest(scopes: ["mail"]))
        #expect(token.scopes.contains("mail") && token.declinedScopes.isEmpty)
        #expect(try await refusal { try await app.silently(wanted) }.code == .serverDeclinedScopes)
    }

    @Test func `another worker's answer changes nothing`() async throws {
        try await ward.signIn(Self.ana, with: provider.browser())
        let before = try await app.silently().accessToken
        let refused = try await refusal {
            try await app.interactively(TokenRequest(prompt: .selectAccount), ward, provider.browser(), as: Self.ben)
        }
        #expect(refused.code == .accountMismatch)
        #expect(try await app.silently().accessToken == before)
        #expect(try await ward.device.getCurrentAccount().current?.username == "ana")
    }

    @Test func `an account that the app did not ask for does not take the device`() async throws {
        let (_, account) = try await ward.signIn(Self.ana, with: provider.browser())
        _ = try await ward.device.signOut()
        let refused = try await refusal {
            try await app.interactively(TokenRequest(account: account.id), ward, provider.browser(), as: Self.ben)
        }
        #expect(refused.code == .accountMismatch)
        #expect(try await ward.phase() == .ready)
        #expect(try await provider.state("live_refresh_tokens") == 0)
        let token = try await app.interactively(TokenRequest(account: account.id), ward, provider.browser())
        #expect(token.account.id == account.id)
    }

    @Test func `one page is open at a time`() async throws {
        try await ward.signIn(Self.ana, with: provider.browser())
        let other = try await TokenApp.register(ward.terminal, "org.example.Other")
        let seen = AsyncStream.makeStream(of: Void.self)
        let waiting = Task { try await app.interactively { _ in seen.continuation.yield(()) } }
        for await _ in seen.stream { break }
        let refused = try await refusal { try await other.interactively { _ in } }
        #expect(refused.code == .signingIn && refused.message.contains("CancelSignIn"))
        // What needs no page goes on.
        _ = try await other.silently()
        try await app.peer.call(Device1.cancelSignIn)
        #expect(try await refusal { try await waiting.value }.code == .userCanceled)
        #expect(try await ward.phase() == .inUse)
    }

    @Test func `a sign-out ends the page, and its caller hears why`() async throws {
        try await ward.signIn(Self.ana, with: provider.browser())
        let seen = AsyncStream.makeStream(of: Void.self)
        let waiting = Task { try await app.interactively { _ in seen.continuation.yield(()) } }
        for await _ in seen.stream { break }
        _ = try await ward.device.signOut()
        #expect(try await refusal { try await waiting.value }.code == .signingOut)
        #expect(try await ward.phase() == .ready)
    }

    @Test func `a caller who leaves the bus leaves the device as it was`() async throws {
        let peer = try await Peer(ward.terminal)
        try await peer.register("org.example.Leaver")
        let steps = try await peer.signals(Device1.signInStep)
        let asking = Task { try await peer.call(Tokens.acquireToken, [:]) }
        for try await _ in steps { break }
        let desk = try await Peer(ward.terminal)
        #expect(try await desk.phase() == "signing-in")
        await peer.connection.close()
        _ = try? await asking.value
        try await desk.waitForPhase(.ready)
    }

    @Test func `an answer goes to the app's own address or to Baton's, never to another app's`() async throws {
        let shop = try await TokenApp.register(ward.terminal, "org.example.Shop")
        func fault(_ app: TokenApp, _ uri: String) async throws -> BatonError.Code {
            try await refusal { try await app.interactively(TokenRequest(redirectURI: uri)) { _ in } }.code
        }
        #expect(try await fault(app, "msauth.org.example.shop://auth") == .invalidRedirectURI)
        #expect(try await fault(shop, "msauth.org.example.shop://auth") == .redirectSchemeNotRegistered)
        #expect(try await fault(app, Tokens.ownRedirectURI) == .redirectSchemeNotRegistered)
        for wrong in ["javascript://x", "nothing", "", String(repeating: "x", count: 70_000)] {
            #expect(try await fault(app, wrong) == .invalidRedirectURI)
        }
        #expect(try await ward.phase() == .ready)
    }

    @Test func `the provider is asked for what the app said`() async throws {
        try await ward.signIn(Self.ana, with: provider.browser())
        let request = TokenRequest(
            scopes: ["mail"], extraScopesToConsent: ["files"], prompt: .login, loginHint: "ana",
            domainHint: "ward.example", claims: #"{"id_token":{"auth_time":{"essential":true}}}"#,
            extraQueryParameters: ["slice": "test"])
        _ = try await app.interactively(request, ward, provider.browser())
        let last = try #require(try await provider.state(of: "last_authorization"))
        let scopes = try #require(last["scope"]?.strings)
        #expect(scopes.contains("mail") && scopes.contains("files") && scopes.contains("openid"))
        #expect(last["prompt"]?.strings == ["login"])
        #expect(last["login_hint"]?.string == "ana" && last["domain_hint"]?.string == "ward.example")
        #expect(last["claims"]?["id_token"]?["auth_time"]?["essential"]?.boolean == true)
    }

    @Test func `claims that the provider demands reach the app and the next page, which contents it`() async throws {
        try await ward.signIn(Self.ana, with: provider.browser())
        try await provider.misbehave("claims-on-refresh")
        let refused = try await refusal { try await app.silently(TokenRequest(forceRefresh: true)) }
        #expect(refused.code == .interactionRequired && refused.tokenDetails.reason == "interaction_required")
        let claims = try #require(refused.details["claims"]?.string.flatMap { JSONValue($0.utf8) })
        #expect(claims["access_token"]?["acrs"]?["value"]?.string == "c1")
        // The app need not repeat them, and its own are asked for beside them.
        let own = #"{"access_token":{"nbf":{"essential":true}},"id_token":{"auth_time":null}}"#
        _ = try await app.interactively(TokenRequest(claims: own), ward, provider.browser())
        let last = try #require(try await provider.state(of: "last_authorization")?["claims"])
        #expect(last["access_token"]?["acrs"]?["value"]?.string == "c1")
        #expect(last["access_token"]?["nbf"]?["essential"]?.boolean == true && last["id_token"]?["auth_time"] == .null)
        _ = try await app.silently(TokenRequest(claims: own))
        _ = try await app.silently(TokenRequest(claims: own, forceRefresh: true))
        // They were for one page.
        _ = try await app.interactively(TokenRequest(), ward, provider.browser())
        #expect(try await provider.state(of: "last_authorization")?["claims"] == .null)
    }

    @Test func `a worker of another tenant gets neither the device nor a token`() async throws {
        let strict = try await ProviderTerminal.start(
            at: provider.issuer, identity: ["allowed-tenants: [ward.example.org]"])
        let till = try await TokenApp.register(strict.terminal)
        let refused = try await refusal { try await till.interactively(strict, provider.browser()) }
        #expect(refused.code == .notAuthorized && refused.tokenDetails.reason == "account_not_allowed")
        #expect(try await strict.phase() == .ready)
    }
}

extension TokenApp {
    func interactively(_ ward: ProviderTerminal, _ browser: FormBrowser) async throws -> TokenResult {
        try await interactively(TokenRequest(), ward, browser)
    }
}
