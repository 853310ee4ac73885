import Baton
import DBus
import ProviderTesting
import TerminalTesting
import Testing
import WebText

/// Entra ID with a browser that the agent manages; the agent is the test's own, and `FormBrowser` is the browser.
@Suite("Entra ID in the browser that the agent manages", .timeLimit(.minutes(2)))
struct EntraBrowserTests {
    private static let address = "https://baton.invalid"
    private static let tenant = "5f4ce31b-2b5c-4d3e-9b57-0f7a3c8e9d10"

    private let provider: DevelopmentProviderProcess
    private let base: String
    private let ward: ProviderTerminal
    private let agent: FakeAgent

    init() async throws {
        provider = try await DevelopmentProviderProcess.start([
            "--kind", "entra", "--tenant", Self.tenant, "--client", "baton", "--redirect-uri",
            "\(Self.address)/signed-in", "--post-logout-redirect-uri", "\(Self.address)/signed-out", "--misbehave",
            "account-picker-at-log-out",
        ])
        base = try #require(try await provider.state(of: "base")?.string)
        let terminal = try Terminal(settings: "", accounts: false)
        try terminal.configure(
            """
            identity:
              {kind: oidc, authority: "\(base)/\(Self.tenant)", authority-type: entra, client-id: baton,
              sign-out-wait: 9s}
            agent: {start: false}
            browser: {kind: chromium}

            """ + Terminal.patient, accounts: false)
        let daemon = try await terminal.startDaemon(agent: false)
        agent = try await FakeAgent(terminal)
        try await daemon.line(containing: "the agent has registered")
        ward = ProviderTerminal(terminal: terminal, daemon: daemon, device: try await terminal.device())
    }

    private func signIn(_ browser: FormBrowser) async throws {
        let (step, task) = try await ward.beginSignIn()
        let redirect = try await browser.signIn(at: step.url, as: DevelopmentProviderProcess.ana)
        #expect(try await agent.peer.call(Tokens.handleResponse, (redirect, "org.baton.Agent")))
        _ = try await task.value
    }

    @Test func `the common log-out is watched as well as the tenant's`() async throws {
        try await signIn(provider.browser())
        let turn = try #require(await agent.next("BeginTurn"))
        #expect(turn.options["end-session"]?.string == "\(base)/\(Self.tenant)/oauth2/v2.0/logout")
        let others = Set(turn.options["log-outs"]?.strings ?? [])
        for path in ["common/oauth2/v2.0/logout", "common/oauth2/logout", "\(Self.tenant)/oauth2/logout"] {
            #expect(others.contains("\(base)/\(path)"), "\(path)")
        }
    }

    @Test func `the log-out page says whom to sign out, so that nobody is asked`() async throws {
        let browser = provider.browser()
        try await signIn(browser)
        _ = try await ward.device.signOut()
        let page = try #require(agent.requests("SignOutBrowser").last?.options["log-out-url"]?.string)
        let answer = try await browser.client.get(page)
        #expect(answer.location?.hasPrefix("\(Self.address)/signed-out?state=") == true, "\(answer.text)")
        #expect(try await provider.state("live_sessions") == 0)
    }

    @Test func `claims that nobody has configured are named once`() async throws {
        try await provider.misbehave("no-login-hint", "no-sid")
        for _ in 0..<2 {
            try await signIn(provider.browser())
            _ = try await ward.device.signOut()
        }
        let lines = ward.daemon.output.split(separator: "\n").filter { $0.contains("lack optional claims") }
        #expect(lines.count == 1 && lines.first?.contains("login_hint sid") == true, "\(lines)")
    }
}
