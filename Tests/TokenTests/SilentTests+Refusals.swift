import Baton
import DBus
import Glibc
import ProviderTesting
import TerminalTesting
import Testing
import WebText

/// When an app gets none.
extension SilentTests {
    @Test func `is refused in every phase but in-use, and to whom is not registered or has not cleared`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(provider)
        let stranger = try await Peer(ward.terminal)
        func strangers() async throws -> String? {
            try await stranger.refusal { _ = try await stranger.call(Tokens.acquireTokenSilently, [:]) }
        }
        #expect(try await strangers() == "NotRegistered")
        let app = try await TokenApp.register(ward.terminal)
        #expect(try await refusal { try await app.silently() }.code == .notSignedIn)
        let (_, page) = try await ward.beginSignIn()
        #expect(try await refusal { try await app.silently() }.code == .signingIn)
        try await ward.device.cancelSignIn()
        _ = try? await page.value

        let (epoch, _) = try await ward.signIn(Self.ana, with: provider.browser())
        _ = try await app.silently()
        #expect(try await strangers() == "NotRegistered")
        // One that says nothing keeps the sign-out open.
        let silent = try await Puppet(ward.terminal)
        let instance = try await silent.peer.register("org.example.Silent").instance
        let desk = try await Peer(ward.terminal)
        let signOut = Task { try await desk.signOut() }
        try await desk.waitForPhase(.clearing)
        #expect(try await refusal { try await app.silently() }.code == .signingOut)
        try await silent.peer.acknowledge(epoch, instance)
        _ = try await signOut.value
        #expect(try await refusal { try await app.silently() }.code == .notSignedIn)
        try await ward.signIn(DevelopmentProviderProcess.ben, with: provider.browser())
        #expect(try await app.silently().account.username == "ben")
    }

    @Test func `is not for an app that owes an earlier turn until it has cleared`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(provider)
        let first = try await Puppet(ward.terminal)
        try await first.peer.register("org.example.Forgetful")
        let (epoch, _) = try await ward.signIn(Self.ana, with: provider.browser())
        await first.program.kill()
        _ = try await ward.device.signOut()
        try await ward.signIn(DevelopmentProviderProcess.ben, with: provider.browser())
        let peer = try await Peer(ward.terminal)
        let registration = try await peer.register("org.example.Forgetful", clears: false)
        #expect(registration.clearThrough == epoch)
        func ask() async throws -> String? {
            try await peer.refusal { _ = try await peer.call(Tokens.acquireTokenSilently, [:]) }
        }
        #expect(try await ask() == "StaleEpoch")
        try await peer.acknowledge(epoch, registration.instance)
        #expect(try await ask() == nil)
        // This process must not be taken for one that does not answer.
        try await peer.call(Participants.leave, registration.instance)
    }

    @Test func `after a restart that kept no tokens needs the worker, and says that this is why`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(provider)
        try await ward.signIn(Self.ana, with: provider.browser())
        await ward.daemon.kill()
        let daemon = try await ward.terminal.startDaemon()
        let app = try await TokenApp.register(ward.terminal)
        let refused = try await refusal { try await app.silently() }
        #expect(refused.code == .interactionRequired && refused.tokenDetails.reason == "restarted")
        // The worker shows who they are, and all is as before.
        _ = try await app.interactively(ward, provider.browser())
        _ = try await app.silently(TokenRequest(forceRefresh: true))
        withExtendedLifetime(daemon) {}
    }

    @Test func `stops at once when the agent is gone`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(provider)
        let app = try await TokenApp.register(ward.terminal)
        try await ward.signIn(Self.ana, with: provider.browser())
        let agent = try await AgentProcess(of: ward.daemon, on: ward.terminal)
        kill(agent.pid, SIGKILL)
        var code: BatonError.Code?
        while code == nil {
            do { _ = try await app.silently() } catch let error as BatonError { code = error.code }
        }
        #expect(code == .agentMissing)
    }

    @Test func `is nobody's with local accounts, and in personal mode`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let app = try await TokenApp.register(terminal)
        #expect(try await refusal { try await app.silently() }.code == .notSignedIn)
        try await app.peer.signIn("ana", pin: "1234")
        let refused = try await refusal { try await app.silently() }
        #expect(refused.code == .providerRejected && refused.tokenDetails.reason == "local_accounts")
        #expect(refused.message.contains("identity.kind"))
        let page = try await refusal { try await app.interactively { _ in } }
        #expect(page.code == .providerRejected)
        try await app.peer.call(Administration.setDeviceMode, "default")
        #expect(try await refusal { try await app.silently() }.code == .notShared)
        withExtendedLifetime(daemon) {}
    }

    @Test func `is not for an app that must prove itself and never did`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ward(provider)
        let app = try await TokenApp.register(ward.terminal)
        try await ward.signIn(Self.ana, with: provider.browser())
        _ = try await app.silently()
        // It registered before its file asked for proof.
        try ward.terminal.write(
            "command: [/bin/true]\nparticipant: required\n", to: "config/baton/apps.d/org.example.Till.yaml")
        _ = try await app.peer.call(Administration.reload)
        #expect(try await refusal { try await app.silently() }.code == .notAuthorized)
    }
}
