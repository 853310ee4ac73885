import Baton
import BusTesting
import DBus
import ProviderTesting
import TerminalTesting
import Testing

@Suite("A session that outlives batond", .timeLimit(.minutes(2)))
struct SessionKeepingTests {
    private let provider: DevelopmentProviderProcess

    init() async throws { provider = try await DevelopmentProviderProcess.start() }

    private func ward(wait: String = "1s") async throws -> Terminal {
        let terminal = try Terminal(settings: "", accounts: false)
        try terminal.configure(
            ProviderTerminal.settings(provider.issuer, "baton", ["sign-out-wait: \(wait)"]) + Terminal.patient,
            accounts: false)
        return terminal
    }

    @Test func `killed in mid-session, it tells the provider with what systemd kept`() async throws {
        let terminal = try await ward(wait: "9s")
        let manager = try await terminal.startManaged()
        let ward = ProviderTerminal(terminal: terminal, daemon: manager, device: try await terminal.device())
        let (epoch, _) = try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        try await manager.line(containing: "manager: stored baton-session-\(epoch)-")
        try await manager.killManagedDaemon(start: 1)
        try await manager.line(containing: "the worker's session was taken over")
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.provider == .signedOut)
        #expect(try await provider.state("live_sessions") == 0)
        #expect(try await provider.state("live_refresh_tokens") == 0)
        #expect(try await provider.state("live_access_tokens") == 0)
        try await manager.line(containing: "manager: removed baton-session-\(epoch)-")
    }

    @Test(.needsMounts)
    func `what systemd kept waits until the journal of its turn can be read`() async throws {
        let terminal = try await ward(wait: "9s")
        let manager = try await terminal.startManaged()
        let ward = ProviderTerminal(terminal: terminal, daemon: manager, device: try await terminal.device())
        let (epoch, _) = try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        try await manager.line(containing: "manager: stored baton-session-\(epoch)-")
        let folder = try ReadOnlyFolder("\(terminal.folder)/state/baton")
        // Two starts that know of no turn: neither gives away what it is not theirs to judge.
        try await manager.killManagedDaemon(start: 1)
        #expect(try await ward.phase() == .quarantined)
        try await manager.killManagedDaemon(start: 2)
        #expect(try await ward.phase() == .quarantined)
        #expect(try await provider.state("live_refresh_tokens") == 1)
        #expect(!manager.output.contains("manager: removed"))
        folder.end()
        #expect(try await terminal.batonctl("reset").status == 0)
        try await manager.line(containing: "the worker's session was taken over")
        try await Peer(terminal).waitForPhase(.inUse)
        #expect(try await ward.device.signOut().receipt?.provider == .signedOut)
        #expect(try await provider.state("live_refresh_tokens") == 0)
        try await manager.line(containing: "manager: removed baton-session-\(epoch)-")
    }

    @Test func `killed while the provider is away, it goes on telling it afterwards`() async throws {
        let terminal = try await ward()
        let manager = try await terminal.startManaged()
        let ward = ProviderTerminal(terminal: terminal, daemon: manager, device: try await terminal.device())
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        try await manager.line(containing: "manager: stored")
        try await provider.misbehave("refuse")
        #expect(try await ward.device.signOut().receipt?.provider == .pending)
        try await manager.killManagedDaemon(start: 1)
        try await provider.behave()
        #expect(try await ward.settledProvider() == .signedOut)
        #expect(try await provider.state("live_refresh_tokens") == 0)
    }

    @Test func `killed in the middle of a sign-out that the provider did not hear of, it tells it all the same`()
        async throws
    {
        let terminal = try await ward()
        try terminal.configure(
            ProviderTerminal.settings(provider.issuer, "baton", ["sign-out-wait: 200ms"])
                + "barrier: {soft: 500ms, hard: 3s, containment: 2s, absolute: 10s}\n", accounts: false)
        let manager = try await terminal.startManaged()
        let ward = ProviderTerminal(terminal: terminal, daemon: manager, device: try await terminal.device())
        // An app that says nothing keeps the sign-out open.
        let app = try await Puppet(terminal)
        try await app.peer.register("org.example.Silent")
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        try await manager.line(containing: "manager: stored")
        try await provider.misbehave("server-error")
        let desk = try await Peer(terminal)
        let outs = try await desk.signals(Device1.signedOut)
        let leaving = Task { try await terminal.batonctl("sign-out") }
        try await provider.request("logout")
        try await manager.killManagedDaemon(start: 1)
        try await provider.behave()
        for try await _ in outs { break }
        _ = try await leaving.value
        #expect(try await ward.settledProvider() == .signedOut)
        #expect(try await provider.state("live_refresh_tokens") == 0)
    }

    @Test func `tokens of one provider are never shown to another`() async throws {
        let terminal = try await ward()
        let manager = try await terminal.startManaged()
        let ward = ProviderTerminal(terminal: terminal, daemon: manager, device: try await terminal.device())
        let (epoch, _) = try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        try await manager.line(containing: "manager: stored")
        let other = try await DevelopmentProviderProcess.start()
        try terminal.configure(
            ProviderTerminal.settings(other.issuer, "baton", ["sign-out-wait: 1s"]) + Terminal.patient,
            accounts: false)
        try await manager.killManagedDaemon(start: 1)
        let desk = try await Peer(terminal)
        try await desk.waitForPhase(.ready)
        let receipt = try await ward.device.receipt(epoch)
        #expect(receipt.reason == .administrator && receipt.provider == .notTold)
        for request in ["token", "revoke", "logout"] { #expect(try await other.state(request) == 0, "\(request)") }
        try await manager.line(containing: "manager: removed")
    }

    @Test func `settings that are read anew forget nobody whom the provider has not heard of`() async throws {
        let terminal = try await ward()
        let daemon = try await terminal.startDaemon()
        let ward = ProviderTerminal(terminal: terminal, daemon: daemon, device: try await terminal.device())
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        try await provider.misbehave("refuse")
        #expect(try await ward.device.signOut().receipt?.provider == .pending)
        try terminal.configure(
            ProviderTerminal.settings(provider.issuer, "baton", ["request-timeout: 5s"]) + Terminal.patient,
            accounts: false)
        #expect(try await terminal.batonctl("reload").status == 0)
        try await provider.behave()
        #expect(try await ward.settledProvider() == .signedOut)
        try await ward.signIn(DevelopmentProviderProcess.ben, with: provider.browser())
        // While somebody is signed in, their provider stays.
        try terminal.configure(
            ProviderTerminal.settings(provider.issuer, "another", []) + Terminal.patient, accounts: false)
        let (status, output) = try await terminal.batonctl("reload")
        #expect(status != 0 && output.contains("no worker is signed in"), "\(output)")
        #expect(try await ward.device.signOut().receipt?.provider == .signedOut)
    }

    @Test func `without anybody who keeps it, the receipt says that the provider was not told`() async throws {
        let terminal = try await ward()
        let daemon = try await terminal.startDaemon()
        let ward = ProviderTerminal(terminal: terminal, daemon: daemon, device: try await terminal.device())
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        await daemon.kill()
        let second = try await terminal.startDaemon()
        defer { withExtendedLifetime(second) {} }
        #expect(try await ward.phase() == .inUse)
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.provider == .notTold && receipt.outcome == .cleared)
        #expect(receipt.providerExplanation.contains("restarted"))
    }

    @Test func `what somebody else put into the store is not believed`() async throws {
        let terminal = try await ward()
        try terminal.write("{}", to: "forged")
        // A file is no sealed memory, whatever its name says.
        let daemon = try terminal.run([
            "bash", "-c",
            "exec 3<\(terminal.folder)/forged; LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=baton-session-1-1 exec "
                + "\(Terminal.binaries)/batond --session",
        ])
        try await daemon.line(containing: "the agent has registered")
        #expect(!daemon.output.contains("taken over"))
        let ward = ProviderTerminal(terminal: terminal, daemon: daemon, device: try await terminal.device())
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
    }

    @Test func `a provider that is away for longer than the settings allow ends the session`() async throws {
        let ward = try await ProviderTerminal.start(
            at: provider.issuer, identity: ["offline: 1s", "sign-out-wait: 200ms", "request-timeout: 5s"])
        let (epoch, _) = try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        let peer = try await Peer(ward.terminal)
        let outs = try await peer.signals(Device1.signedOut)
        await provider.program.kill()
        for try await out in outs {
            #expect(out.values.0 == epoch)
            break
        }
        let receipt = try await ward.device.receipt(epoch)
        #expect(receipt.reason == .expired && receipt.provider == .pending)
    }
}
