import Baton
import ProviderTesting
import TerminalTesting
import Testing

@Suite("Signing in at a provider", .timeLimit(.minutes(2)))
struct SigningInTests {
    private let provider: DevelopmentProviderProcess
    private let ward: ProviderTerminal

    init() async throws {
        provider = try await DevelopmentProviderProcess.start()
        ward = try await ProviderTerminal.start(
            at: provider.issuer, apps: ["org.example.Till": "redirect-uri: msauth.org.example.till://auth\n"])
    }

    @Test func `a worker signs in through pages, and sign-out ends it at the provider too`() async throws {
        let (_, account) = try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        #expect(account.username == "ana" && account.name == "Ana Horvat")
        #expect(account.id.hasPrefix(provider.issuer + "#"))
        #expect(try await provider.state("live_sessions") == 1)
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.provider == .signedOut && receipt.outcome == .cleared)
        for kind in ["live_sessions", "live_refresh_tokens", "live_access_tokens"] {
            #expect(try await provider.state(kind) == 0, "\(kind)")
        }
    }

    @Test func `the same worker proves themselves again, and another one changes nothing`() async throws {
        let (epoch, _) = try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        let again = try await ward.signIn(
            DevelopmentProviderProcess.ana, with: provider.browser(), ProviderSignIn(prompt: .login, maxAge: 0))
        #expect(again.epoch == epoch)
        let refusal = try await ward.refusal {
            try await ward.signIn(DevelopmentProviderProcess.ben, with: provider.browser())
        }
        #expect(refusal?.code == .accountMismatch)
        #expect(try await ward.device.getCurrentAccount().current?.username == "ana")
        #expect(try await ward.device.signOut().receipt?.provider == .signedOut)
    }

    @Test func `a provider that ignores prompt=login is found out`() async throws {
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        try await provider.misbehave("old-auth-time")
        let refusal = try await ward.refusal {
            try await ward.signIn(
                DevelopmentProviderProcess.ana, with: provider.browser(), ProviderSignIn(prompt: .login, maxAge: 60))
        }
        #expect(refusal?.code == .providerRejected)
        #expect(try await ward.phase() == .inUse)
    }

    @Test func `cancelled at the provider, the device is ready and the caller knows who cancelled`() async throws {
        let (step, task) = try await ward.beginSignIn()
        try await ProviderTerminal.deliver(try await provider.browser().cancel(at: step.url), to: ward.device)
        let refusal = try await ward.refusal { _ = try await task.value }
        #expect(refusal?.code == .userCanceled)
        #expect(refusal?.message.contains("at the identity provider") == true)
        #expect(try await ward.phase() == .ready)
    }

    @Test func `cancelled by the caller, an answer that comes later is nobody's`() async throws {
        let (step, task) = try await ward.beginSignIn()
        try await ward.device.cancelSignIn()
        let refusal = try await ward.refusal { _ = try await task.value }
        #expect(refusal?.code == .userCanceled)
        let redirect = try await provider.browser().signIn(at: step.url, as: DevelopmentProviderProcess.ana)
        #expect(try await ward.device.handleResponse(url: redirect) == false)
        #expect(try await ward.phase() == .ready)
    }

    @Test func `a caller who leaves the bus leaves the device ready`() async throws {
        let program = try ward.terminal.run(["batonctl", "sign-in", "--no-browser"])
        try await program.line(containing: "http://127.0.0.1")
        #expect(try await ward.phase() == .signingIn)
        await program.kill()
        let peer = try await Peer(ward.terminal)
        try await peer.waitForPhase(.ready)
    }

    @Test func `a sign-in that nobody finishes ends by itself and says so`() async throws {
        let ward = try await ProviderTerminal.start(
            at: provider.issuer, settings: Terminal.patient + "sign-in-timeout: 10s\n")
        let (_, task) = try await ward.beginSignIn()
        let refusal = try await ward.refusal { _ = try await task.value }
        #expect(refusal?.code == .userCanceled)
        #expect(refusal?.message.contains("took too long") == true, "\(refusal?.message ?? "")")
        #expect(try await ward.phase() == .ready)
    }

    @Test func `a redirect counts once, and only with a state that is waited for`() async throws {
        let (step, task) = try await ward.beginSignIn()
        let redirect = try await provider.browser().signIn(at: step.url, as: DevelopmentProviderProcess.ana)
        let page = String(redirect.prefix { $0 != "?" })
        for wrong in [page, page + "?state=x&code=y", "garbage", page + "?error=access_denied", ""] {
            #expect(try await ward.device.handleResponse(url: wrong) == false, "\(wrong)")
        }
        let answers = try await WebClient().get(redirect)
        // Away from the address with the code.
        #expect(answers.status == 303 && answers.location?.contains("code") == false)
        _ = try await task.value
        #expect(try await WebClient().get(redirect).status == 410)
        #expect(try await ward.device.handleResponse(url: redirect) == false)
    }

    @Test func `two sign-ins at once are one too many`() async throws {
        let (_, task) = try await ward.beginSignIn()
        let refusal = try await ward.refusal { _ = try await ward.beginSignIn() }
        #expect(refusal?.code == .signingIn)
        try await ward.device.cancelSignIn()
        _ = try? await task.value
    }

    @Test func `a redirect by an own scheme needs its handler, and comes in by batonctl handle-url`() async throws {
        let own = ProviderSignIn(redirectURI: Tokens.ownRedirectURI)
        let missing = try await ward.refusal { _ = try await ward.beginSignIn(own) }
        #expect(missing?.code == .redirectSchemeNotRegistered)
        let folder = "\(ward.terminal.folder)/home/.local/share/applications"
        _ = await (try ward.terminal.run(["mkdir", "-p", folder])).end()
        try ward.terminal.write(
            "[Desktop Entry]\nType=Application\nName=Baton\nExec=batonctl handle-url %u\n"
                + "MimeType=x-scheme-handler/msauth.org.baton.batonctl;\n",
            to: "home/.local/share/applications/org.baton.batonctl.desktop")
        let (step, task) = try await ward.beginSignIn(own)
        let redirect = try await provider.browser().signIn(at: step.url, as: DevelopmentProviderProcess.ana)
        #expect(redirect.hasPrefix(Tokens.ownRedirectURI))
        let (status, output) = try await ward.terminal.batonctl("handle-url", redirect)
        #expect(status == 0, "\(output)")
        _ = try await task.value
        #expect(try await ward.terminal.batonctl("handle-url", redirect).status != 0)
    }

    @Test(arguments: [
        "msauth.org.example.stranger://auth", "msauth.org.example.till://auth#x", "javascript://auth", "nothing", "",
    ])
    func `a redirect URI that no app has, or that is none, is refused before anything opens`(uri: String) async throws {
        let refusal = try await ward.refusal { _ = try await ward.beginSignIn(ProviderSignIn(redirectURI: uri)) }
        #expect(refusal?.code == .invalidRedirectURI)
        #expect(try await ward.phase() == .ready)
    }

    @Test func `batonctl opens the page with the worker's browser`() async throws {
        try ward.terminal.write("ben\nben\n", to: "home/.typing-browser")
        let program = try ward.terminal.run(
            ["batonctl", "sign-in"], environment: ["BROWSER": "\(Terminal.package)/Examples/typing-browser"])
        #expect(await program.end() == 0, "\(program.output)")
        #expect(program.output.contains("Ben Okafor (ben) holds the device"))
    }

    @Test func `a loopback port that another program has is named`() async throws {
        // The provider's own.
        let port = try #require(provider.issuer.split(separator: ":").last)
        let second = try await ProviderTerminal.start(at: provider.issuer, identity: ["loopback-port: \(port)"])
        let refusal = try await second.refusal { _ = try await second.beginSignIn() }
        #expect(refusal?.code == .invalidRedirectURI)
        #expect(refusal?.message.contains("\(port)") == true)
    }
}
