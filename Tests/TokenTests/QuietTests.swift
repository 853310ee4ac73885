import Baton
import ProviderTesting
import TerminalTesting
import Testing

@Suite("With nothing to do, and a provider", .timeLimit(.minutes(3)))
struct QuietTests {
    @Test func `batond never wakes up once the worker is gone`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(
            at: provider.issuer, settings: "agent: {required: false, start: false}\n", agent: false)
        let app = try await TokenApp.register(ward.terminal)
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        // While somebody is there, the provider is asked every few minutes whether their account is.
        #expect(await ward.daemon.isQuietAtLast(), "\(ward.daemon.timedSleeps)")
        _ = try await app.silently(TokenRequest(forceRefresh: true))
        _ = try await ward.device.signOut()
        #expect(await ward.daemon.isQuietAtLast(), "\(ward.daemon.timedSleeps)")
        #expect(ward.daemon.armedTimers.count <= 1 && ward.daemon.armedTimers.allSatisfy { $0.interval == 0 })
    }
}
