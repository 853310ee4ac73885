import Baton
import ProviderTesting
import TerminalTesting
import Testing

@Suite("Signing out at a provider", .timeLimit(.minutes(3)))
struct SigningOutTests {
    private let provider: DevelopmentProviderProcess
    private let ward: ProviderTerminal

    init() async throws {
        provider = try await DevelopmentProviderProcess.start()
        ward = try await ProviderTerminal.start(at: provider.issuer, identity: ["sign-out-wait: 500ms"])
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
    }

    @Test(arguments: ["hang", "refuse", "server-error", "slow"])
    func `a provider that is away holds nobody up, and hears of it when it is back`(how: String) async throws {
        try await provider.misbehave(how)
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.provider == .pending && receipt.outcome == .cleared)
        #expect(try await ward.phase() == .ready)
        try await provider.behave()
        // What a slow provider was sent before, it may do at any time: then the refresh token shows nothing.
        let settled = try await ward.settledProvider()
        #expect(settled == .signedOut || (how == "slow" && settled == .told), "\(settled)")
        #expect(try await provider.state("live_sessions") == 0)
        #expect(try await provider.state("live_refresh_tokens") == 0)
    }

    @Test(arguments: ["garbage", "huge", "not-json", "redirect-loop"])
    func `an answer that makes no sense is no sign-out and no obstacle`(how: String) async throws {
        try await provider.misbehave(how)
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.outcome == .cleared)
        #expect([.told, .revoked, .refused, .pending].contains(receipt.provider), "\(receipt.provider)")
        #expect(try await ward.phase() == .ready)
    }

    @Test(arguments: [
        ("log-out-without-page", ProviderOutcome.signedOut), ("no-end-session-endpoint", ProviderOutcome.revoked),
        ("log-out-page-waits", ProviderOutcome.revoked), ("no-revocation-endpoint", ProviderOutcome.signedOut),
        ("no-revocation-for-public-clients", ProviderOutcome.signedOut), ("log-out-needs-cookie", ProviderOutcome.told),
        ("log-out-asks", ProviderOutcome.revoked), ("log-out-late", ProviderOutcome.signedOut),
    ])
    func `the receipt says which half the provider offers`(how: String, expected: ProviderOutcome) async throws {
        let strange = try await DevelopmentProviderProcess.start(["--misbehave", how])
        let ward = try await ProviderTerminal.start(at: strange.issuer)
        try await ward.signIn(DevelopmentProviderProcess.ana, with: strange.browser())
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.provider == expected, "\(receipt.providerExplanation)")
    }

    @Test func `a redirect that ended nothing is no sign-out, and no token outlives it`() async throws {
        try await provider.misbehave("log-out-needs-cookie")
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        let browser = provider.browser()
        let before = try await provider.state("live_sessions")
        try await ward.signIn(DevelopmentProviderProcess.ben, with: browser)
        let refreshTokens = try await provider.state("live_refresh_tokens")
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.provider == .told && receipt.providerExplanation.contains("still took the refresh token"))
        #expect(try await provider.state("live_sessions") == before + 1)
        #expect(try await provider.state("live_refresh_tokens") == refreshTokens - 1)
        let (_, output) = try await ward.terminal.batonctl("receipts", "\(receipt.epoch)")
        #expect(output.contains("Provider: told, without proof that its session ended – "), "\(output)")
    }

    @Test func `a provider that was killed for good leaves a sign-out that says so`() async throws {
        await provider.program.kill()
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.provider == .pending && receipt.outcome == .cleared)
        let (status, output) = try await ward.terminal.batonctl("receipts", "--newest", "1", "--json")
        #expect(status == 0 && output.contains(#""provider" : "pending""#), "\(output)")
    }
}
