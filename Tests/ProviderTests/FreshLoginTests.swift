import Baton
import BusTesting
import ProviderTesting
import TerminalTesting
import Testing
import WebText

enum FreshLogin {
    /// Waits until a login is no longer one of the last second, which max_age=1 allows.
    static func untilOld() async throws { try await Task.sleep(for: .milliseconds(1100)) }
}

/// A browser that nobody manages still has the session of the worker before, whom the provider then lets in by a click.
@Suite("A login of the next worker's own", .timeLimit(.minutes(3)))
struct FreshLoginTests {
    private let ana = DevelopmentProviderProcess.ana
    private let ben = DevelopmentProviderProcess.ben

    private func ward(
        _ misbehaviours: [String], _ identity: [String] = []
    ) async throws -> (DevelopmentProviderProcess, ProviderTerminal) {
        let provider = try await DevelopmentProviderProcess.start()
        for name in ["log-out-needs-cookie"] + misbehaviours { try await provider.misbehave(name) }
        return (provider, try await ProviderTerminal.start(at: provider.issuer, identity: identity))
    }

    @Test(arguments: [[], ["no-auth-time"]])
    func `the next worker is asked for their own password, and is themselves`(more: [String]) async throws {
        let (provider, ward) = try await ward(["recent-login-suffices"] + more)
        let browser = provider.browser()
        #expect(try await ward.signIn(ana, with: browser).account.username == "ana")
        #expect(try await ward.device.signOut().receipt?.provider == .told)
        try await FreshLogin.untilOld()
        #expect(try await ward.signIn(ben, with: browser).account.username == "ben")
        #expect(try await provider.state(of: "last_authorization")?["max_age"]?.integer == 1)
    }

    @Test(arguments: [[], ["no-auth-time"]], [ProviderSignIn(), ProviderSignIn(prompt: .selectAccount)])
    func `where the settings refuse it, a click makes nobody the worker before`(
        more: [String], options: ProviderSignIn
    ) async throws {
        let (provider, ward) = try await ward(["recent-login-suffices"], ["without-fresh-login: refuse"])
        let browser = provider.browser()
        try await ward.signIn(ana, with: browser)
        _ = try await ward.device.signOut()
        try await FreshLogin.untilOld()
        for name in more { try await provider.misbehave(name) }
        let refusal = try await ward.refusal { try await ward.signIn(ben, with: browser, options) }
        #expect(refusal?.code == .providerRejected)
        let said = more.isEmpty ? "reused an earlier login" : "identity.without-fresh-login"
        #expect(refusal?.message.contains(said) == true, "\(refusal?.message ?? "")")
        #expect(try await ward.phase() == .ready)
        // What the provider gave for the click is revoked, which the refusal does not wait for.
        try await eventually { try await provider.state("live_refresh_tokens") == 0 }
    }

    @Test func `a provider that never asks is refused in the end`() async throws {
        let (provider, ward) = try await ward(["old-auth-time"])
        let browser = provider.browser()
        let refusal = try await ward.refusal { try await ward.signIn(ana, with: browser) }
        #expect(refusal?.code == .providerRejected)
        #expect(try await ward.phase() == .ready)
    }
}
