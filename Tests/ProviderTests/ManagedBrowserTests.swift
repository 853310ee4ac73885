import Baton
import DBus
import ProviderTesting
import TerminalTesting
import Testing
import WebText

/// The agent is the test's own here: what it would do in its browser, `FormBrowser` does.
@Suite("A provider in the browser that the agent manages", .timeLimit(.minutes(2)))
struct ManagedBrowserTests {
    private static let address = "https://baton.invalid"

    private let provider: DevelopmentProviderProcess
    private let ward: ProviderTerminal
    private let agent: FakeAgent

    init() async throws {
        provider = try await DevelopmentProviderProcess.start([
            // Its addresses then say what they ask for.
            "--misbehave", "no-pushed-authorization", "--client", "baton", "--redirect-uri",
            "\(Self.address)/signed-in", "--redirect-uri", "msauth.org.baton.batonctl://auth",
            "--post-logout-redirect-uri", "\(Self.address)/signed-out",
            "--frontchannel-logout-uri", "\(Self.address)/front-channel-logout",
        ])
        let terminal = try Terminal(settings: "", accounts: false)
        try terminal.configure(Self.settings(provider, wait: "9s"), accounts: false)
        let daemon = try await terminal.startDaemon(agent: false)
        agent = try await FakeAgent(terminal)
        try await daemon.line(containing: "the agent has registered")
        // What may be left of an earlier agent's sign-in.
        _ = await agent.next("CloseSignIn")
        ward = ProviderTerminal(terminal: terminal, daemon: daemon, device: try await terminal.device())
    }

    private static func settings(_ provider: DevelopmentProviderProcess, wait: String) -> String {
        """
        identity: {kind: oidc, authority: "\(provider.issuer)", client-id: baton, sign-out-wait: \(wait)}
        agent: {start: false}
        browser: {kind: chromium}

        """ + Terminal.patient
    }

    /// Goes through the provider's pages, and hands the answer in as the agent does.
    private func answer(_ url: String, in browser: FormBrowser, as account: ProviderAccount) async throws -> Bool {
        let redirect = try await browser.signIn(at: url, as: account)
        return try await agent.peer.call(Tokens.handleResponse, (redirect, "org.baton.Agent"))
    }

    @discardableResult
    private func signIn(
        _ browser: FormBrowser, as account: ProviderAccount = DevelopmentProviderProcess.ana,
        _ options: ProviderSignIn = ProviderSignIn()
    ) async throws -> Epoch {
        let (step, task) = try await ward.beginSignIn(options)
        #expect(try await answer(step.url, in: browser, as: account))
        return try await task.value
    }

    private var closings: Int { agent.requests("CloseSignIn").count }

    @Test func `the page opens there, and the browser of the sign-in becomes the worker's`() async throws {
        let before = closings
        let (step, task) = try await ward.beginSignIn()
        #expect(step.opener == .agent)
        let request = try #require(agent.requests("OpenSignIn").last)
        #expect(request.url == step.url && request.options["again"]?.boolean == false)
        #expect(step.url.contains("baton.invalid") && !step.url.contains("prompt="))
        #expect(try await answer(step.url, in: provider.browser(), as: DevelopmentProviderProcess.ana))
        let epoch = try await task.value
        let turn = try #require(await agent.next("BeginTurn"))
        #expect(turn.epoch == epoch)
        #expect(turn.options["issuer"]?.string == provider.issuer)
        #expect(turn.options["end-session"]?.string == "\(provider.issuer)/logout")
        let since = try await ward.device.deviceInformation().since
        #expect(turn.options["began"]?.int64 == since)
        #expect(closings == before)
    }

    @Test func `a sign-in of the holder has a browser of its own, asks for their password, and is closed`() async throws
    {
        let browser = provider.browser()
        let epoch = try await signIn(browser)
        let before = closings
        let (step, task) = try await ward.beginSignIn()
        #expect(agent.requests("OpenSignIn").last?.options["again"]?.boolean == true)
        #expect(step.url.contains("prompt=login"))
        #expect(try await answer(step.url, in: provider.browser(), as: DevelopmentProviderProcess.ana))
        #expect(try await task.value == epoch)
        _ = await agent.next("CloseSignIn")
        #expect(closings == before + 1)
    }

    @Test func `the login of the turn before signs nobody in, and the provider is asked with max_age`() async throws {
        // A provider that keeps its session, and a browser of which not all was wiped.
        try await provider.misbehave("log-out-needs-cookie")
        let browser = provider.browser()
        try await signIn(browser)
        _ = try await ward.device.signOut()
        try await FreshLogin.untilOld()
        _ = await agent.next("OpenSignIn")
        let (step, task) = try await ward.beginSignIn()
        _ = await agent.next("OpenSignIn")
        #expect(!step.url.contains("prompt=") && !step.url.contains("max_age="))
        #expect(try await answer(step.url, in: browser, as: DevelopmentProviderProcess.ben))
        let second = try #require(await agent.next("OpenSignIn"))
        #expect(second.url.contains("max_age=1"))
        #expect(try await answer(second.url, in: browser, as: DevelopmentProviderProcess.ben))
        _ = try await task.value
        #expect(try await ward.device.getCurrentAccount().current?.username == "ben")
    }

    @Test func `a page that does not open ends the sign-in, and one that is cancelled is closed`() async throws {
        agent.script { $0.opens = false }
        let refusal = try await ward.refusal { _ = try await ward.beginSignIn() }
        #expect(refusal?.code == .failed)
        let peer = try await Peer(ward.terminal)
        try await peer.waitForPhase(.ready)
        agent.script { $0.opens = true }
        let (step, task) = try await ward.beginSignIn()
        try await ward.device.cancelSignIn()
        #expect(try await ward.refusal { _ = try await task.value }?.code == .userCanceled)
        try await peer.waitForPhase(.ready)
        // Once when it registered, and once for each.
        #expect(closings == 3)
        #expect(
            try await answer(step.url, in: provider.browser(), as: DevelopmentProviderProcess.ana) == false)
    }

    @Test func `a device code and an app's own address are no business of the agent's`() async throws {
        let (code, first) = try await ward.beginSignIn(ProviderSignIn(.deviceCode))
        #expect(code.kind == .deviceCode)
        try await ward.device.cancelSignIn()
        _ = try? await first.value
        let own = try await ward.refusal {
            _ = try await ward.beginSignIn(ProviderSignIn(redirectURI: Tokens.ownRedirectURI))
        }
        #expect(own?.code == .redirectSchemeNotRegistered)
        #expect(agent.requests("OpenSignIn").isEmpty)
        #expect(try await ward.phase() == .ready)
    }

    @Test(arguments: [("confirmed", ProviderOutcome.signedOut), ("silent", ProviderOutcome.revoked)])
    func `the log-out page in the worker's browser counts where our own word does not`(
        how: String, provided: ProviderOutcome
    ) async throws {
        try await provider.misbehave("log-out-page-waits")
        try await signIn(provider.browser())
        agent.script { $0.logOut = how }
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.outcome == .cleared && receipt.provider == provided, "\(receipt.providerExplanation)")
        #expect(
            receipt.providerExplanation.contains("in the worker's browser redirected as after a log-out")
                == (how == "confirmed"))
    }

    @Test(arguments: [("confirmed", ProviderOutcome.signedOut), ("silent", ProviderOutcome.told)])
    func `a redirect without the browser's cookie does not end the wait for the worker's browser`(
        how: String, provided: ProviderOutcome
    ) async throws {
        try await provider.misbehave("log-out-needs-cookie")
        try await signIn(provider.browser())
        agent.script {
            $0.logOut = how
            $0.logOutTakes = .seconds(1)
        }
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.provider == provided, "\(receipt.providerExplanation)")
    }

    @Test func `a page that confirms after the wait for the provider counts too`() async throws {
        try ward.terminal.configure(Self.settings(provider, wait: "300ms"), accounts: false)
        #expect(try await ward.terminal.batonctl("reload").status == 0)
        try await provider.misbehave("log-out-needs-cookie")
        try await signIn(provider.browser())
        agent.script {
            $0.logOut = "confirmed"
            $0.logOutTakes = .seconds(1)
        }
        _ = try await ward.device.signOut()
        #expect(try await ward.settledProvider() == .signedOut)
    }

    @Test func `the log-out page signs out whether it comes before batond's own word or after`() async throws {
        let browser = provider.browser()
        try await signIn(browser)
        let signOut = try #require(try await ward.device.signOut().receipt)
        #expect(signOut.provider == .signedOut)
        let options = try #require(agent.requests("SignOutBrowser").last?.options)
        let (page, answer) = (options["log-out-url"]?.string ?? "", options["log-out-answer"]?.string ?? "")
        #expect(page.contains("id_token_hint=") && answer.hasPrefix("\(Self.address)/signed-out?state="))
        #expect(try await browser.signOut(at: page) == answer)
        // The other way round: the session is gone when batond tells the provider.
        try await signIn(browser)
        try await provider.control("end-session", ["username": .string("ana")])
        #expect(try await ward.device.signOut().receipt?.provider == .signedOut)
    }

    @Test func `a front-channel log-out that the agent saw signs the device out, if it means this session`()
        async throws
    {
        let browser = provider.browser()
        let epoch = try await signIn(browser)
        let peer = try await Peer(ward.terminal)
        func report(_ issuer: String, _ session: String, by peer: Peer) async throws -> Bool {
            try await peer.call(DeviceAgent.providerSignedOut, (issuer, session))
        }
        for (issuer, session) in [(provider.issuer, "x"), (provider.issuer, ""), ("", ""), ("https://x.example", "x")] {
            #expect(try await report(issuer, session, by: agent.peer) == false)
        }
        let page = try await browser.client.get("\(provider.issuer)/logout")
        let confirmed = try await browser.confirm(page)
        let frame = String(try #require(confirmed.text.firstMatch(of: /<iframe[^>]*src="([^"]+)"/)).output.1)
        let session = String(try #require(frame.firstMatch(of: /sid=([^&"]+)/)).output.1)
        let stranger = try await peer.refusal { _ = try await report(provider.issuer, session, by: peer) }
        #expect(stranger == "NotAuthorized")
        #expect(try await ward.phase() == .inUse)
        let outs = try await peer.signals(Device1.signedOut)
        #expect(try await report(provider.issuer, session, by: agent.peer))
        for try await out in outs {
            #expect(out.values.0 == epoch)
            break
        }
        let receipt = try await ward.device.receipt(epoch)
        #expect(receipt.reason == .provider && receipt.provider == .signedOut)
    }
}
