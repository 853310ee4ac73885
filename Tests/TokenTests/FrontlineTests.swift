import Baton
import BusTesting
import DBus
import Glibc
import ProviderTesting
import TerminalTesting
import Testing
import WebText

/// The cases by which Microsoft tests shared device mode, in terms of this device. The numbers are those of its test pass.
@Suite("Microsoft's frontline cases", .timeLimit(.minutes(3)))
struct FrontlineTests {
    private static let ana = DevelopmentProviderProcess.ana
    private static let ben = DevelopmentProviderProcess.ben

    private func terminal(
        _ provider: DevelopmentProviderProcess, identity: [String] = []
    ) async throws -> (ward: ProviderTerminal, a: TokenApp, b: TokenApp) {
        let ward = try await ProviderTerminal.start(at: provider.issuer, identity: identity)
        return (
            ward, try await TokenApp.register(ward.terminal, "org.example.A"),
            try await TokenApp.register(ward.terminal, "org.example.B")
        )
    }

    /// Waits for the end of a turn and gives its receipt.
    private func signedOut(_ app: TokenApp, _ cause: () async throws -> Void) async throws -> Receipt {
        let outs = try await app.peer.signals(Device1.signedOut)
        try await cause()
        for try await out in outs {
            return try #require(Receipt(try await app.peer.call(Device1.getReceipt, out.values.0)))
        }
        throw CancellationError()
    }

    // 833511
    @Test(.enabled(if: geteuid() == 0, "needs to become another user"))
    func `an ordinary user cannot put the device into or out of shared mode`() async throws {
        let terminal = try Terminal(settings: Terminal.patient, isOpen: true)
        let daemon = try await terminal.startDaemon()
        let (desk, user) = (try await Peer(terminal), try await Puppet(terminal, user: "games"))
        for (mode, wanted) in [("shared", "default"), ("default", "shared")] {
            try await desk.call(Administration.setDeviceMode, mode)
            let refused = try await user.peer.refusal {
                try await user.peer.call(Administration.setDeviceMode, wanted)
            }
            #expect(refused == "NotAuthorized")
            #expect(try await desk.call(Device1.getDeviceMode) == mode)
        }
        withExtendedLifetime((daemon, user)) {}
    }

    // 833513
    @Test func `a user of another tenant is refused`() async throws {
        let provider = try await DevelopmentProviderProcess.start(["--kind", "entra"])
        let base = try #require(try await provider.state(of: "base")?.string)
        let ward = try await ProviderTerminal.start(
            at: base + "/organizations",
            identity: ["authority-type: entra", "allowed-tenants: [11111111-2222-4333-8444-555555555555]"])
        let app = try await TokenApp.register(ward.terminal)
        let refused = try await refusal { try await app.interactively(ward, provider.browser()) }
        #expect(refused.code == .notAuthorized && refused.message.contains("tenant"))
        #expect(try await ward.phase() == .ready)
        #expect(try await refusal { try await app.silently() }.code == .notSignedIn)
    }

    // 833514
    @Test func `signed in by way of app A, app B sees the account and gets a silent token`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let (ward, a, b) = try await terminal(provider)
        let token = try await a.interactively(ward, provider.browser())
        let (epoch, current, _) = try await b.peer.call(Device1.getCurrentAccount)
        #expect(epoch == token.epoch && Account(current) == token.account)
        #expect(try await b.silently(TokenRequest(account: token.account.homeAccountID)).account == token.account)
        #expect(try await provider.state("authorize") == 1)
    }

    // 833515
    @Test func `a global sign-out clears all`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let (ward, a, b) = try await terminal(provider)
        let token = try await a.interactively(ward, provider.browser())
        let receipt = try #require(try await b.peer.signOut())
        #expect(receipt.outcome == .cleared && receipt.provider == .signedOut)
        #expect(Set(receipt.participants.map(\.app)).isSuperset(of: ["org.example.A", "org.example.B"]))
        for app in [a, b] {
            #expect(Account(try await app.peer.call(Device1.getCurrentAccount).1) == nil)
            #expect(try await refusal { try await app.silently() }.code == .notSignedIn)
        }
        let me = try await WebClient().get(
            "\(provider.issuer)/me", headers: [("authorization", "Bearer \(token.accessToken)")])
        #expect(me.status == 401, "the token that app A still knows is worth nothing")
        for kind in ["live_sessions", "live_refresh_tokens", "live_access_tokens"] {
            #expect(try await provider.state(kind) == 0, "\(kind)")
        }
    }

    // 833516
    @Test func `a second sign-in is refused`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let (ward, a, b) = try await terminal(provider)
        let token = try await a.interactively(ward, provider.browser())
        let byToken = try await refusal {
            try await b.interactively(TokenRequest(prompt: .login), ward, provider.browser(), as: Self.ben)
        }
        #expect(byToken.code == .accountMismatch)
        let bySignIn = try await ward.refusal { try await ward.signIn(Self.ben, with: provider.browser()) }
        #expect(bySignIn?.code == .accountMismatch)
        #expect(try await ward.device.getCurrentAccount().epoch == token.epoch)
        #expect(try await a.silently().account.username == "ana")
    }

    // 833517
    @Test func `a local account that an administrator removes is signed out, and every app hears of it`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let app = try await TokenApp.register(terminal)
        try await app.peer.signIn("ana", pin: "1234")
        let receipt = try await signedOut(app) {
            #expect(try await terminal.batonctl("account", "remove", "ana").status == 0)
            _ = try await app.peer.call(Administration.reload)
        }
        #expect(receipt.reason == .administrator && receipt.outcome == .cleared)
        #expect(try await app.peer.refusal { try await app.peer.signIn("ana", pin: "1234") } == "NotAuthorized")
        try await app.peer.signIn("bo", pin: "5678")
        // Whoever is left in the settings stays.
        _ = try await app.peer.call(Administration.reload)
        #expect(try await app.peer.phase() == "in-use")
        withExtendedLifetime(daemon) {}
    }

    // 833517
    @Test(arguments: ["account-gone-on-refresh", "session-revoked-on-refresh", "sign-in-frequency-on-refresh"])
    func `an account that the directory no longer has, or whose session is over, is signed out at the next refresh`(
        how: String
    ) async throws {
        let provider = try await DevelopmentProviderProcess.start(["--kind", "entra"])
        let base = try #require(try await provider.state(of: "base")?.string)
        let ward = try await ProviderTerminal.start(
            at: base + "/2f1a7c3e-5d0b-4c8e-9a46-0b7e8d1c9f52", identity: ["authority-type: entra"])
        let app = try await TokenApp.register(ward.terminal)
        try await ward.signIn(Self.ana, with: provider.browser())
        try await provider.misbehave(how)
        let receipt = try await signedOut(app) {
            let refused = try await refusal { try await app.silently(TokenRequest(forceRefresh: true)) }
            #expect([.interactionRequired, .signingOut].contains(refused.code))
        }
        #expect(receipt.reason == .provider)
        #expect(try await ward.phase() == .ready)
    }

    // 833517
    @Test func `an account whose sessions the provider ends is signed out at once`() async throws {
        let port = try freePort()
        let provider = try await DevelopmentProviderProcess.start([
            "--backchannel-logout-uri", "http://127.0.0.1:\(port)/back-channel-logout",
        ])
        let (ward, a, b) = try await terminal(provider, identity: ["loopback-port: \(port)"])
        _ = try await a.interactively(ward, provider.browser())
        let receipt = try await signedOut(b) {
            try await provider.control("end-session", ["username": .string("ana")])
        }
        #expect(receipt.reason == .provider && receipt.outcome == .cleared)
        #expect(try await refusal { try await a.silently() }.code == .notSignedIn)
    }

    // 2495140
    @Test(arguments: ["late-token", "slow@token", "hang@token"])
    func `a sign-out while a silent request runs ends it, and a token that comes late is dropped`(
        fault: String
    ) async throws {
        // The late token is waited for, and must come before the request's ten seconds are over.
        let delay = fault == "late-token" ? "6" : "20"
        let provider = try await DevelopmentProviderProcess.start(["--delay", delay])
        let (ward, a, b) = try await terminal(provider)
        _ = try await a.interactively(ward, provider.browser())
        let before = try await provider.state("token")
        try await provider.misbehave(fault)
        let start = ContinuousClock.now
        let asking = Task { try await refusal { try await a.silently(TokenRequest(forceRefresh: true)) } }
        try await provider.request("token", number: before + 1)
        let receipt = try #require(try await b.peer.signOut())
        let refused = try await asking.value
        #expect(refused.code == .signingOut)
        #expect(start.duration(to: .now) < .seconds(60))
        #expect(receipt.outcome == .cleared)
        if fault == "late-token" {
            // What the provider made before the sign-out, and sends after it, is given back.
            try await eventually {
                try await provider.state("live_access_tokens") + provider.state("live_refresh_tokens") == 0
            }
        }
        try await provider.behave()
        #expect(try await refusal { try await a.silently() }.code == .notSignedIn)
        // Nothing of ana's request gets to the next worker.
        try await ward.signIn(Self.ben, with: provider.browser())
        #expect(try await a.silently().account.username == "ben")
    }
}
