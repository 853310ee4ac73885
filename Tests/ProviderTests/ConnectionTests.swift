import Baton
import BusTesting
import DBus
import FolderTesting
import ProviderTesting
import TerminalTesting
import Testing
import WebText

@Suite("The way to a provider", .timeLimit(.minutes(2)))
struct ConnectionTests {
    @Test func `https with the configured CA works, and without it nothing does`() async throws {
        let authority = try await TestCertificateAuthority()
        let provider = try await DevelopmentProviderProcess.start(certificateAuthority: authority)
        #expect(provider.issuer.hasPrefix("https://localhost:"))
        let ward = try await ProviderTerminal.start(at: provider.issuer, caFile: authority.caFile)
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        #expect(try await ward.device.signOut().receipt?.provider == .signedOut)

        let other = try await TestCertificateAuthority()
        for caFile in [nil, other.caFile] as [String?] {
            let stranger = try await ProviderTerminal.start(at: provider.issuer, caFile: caFile)
            let refusal = try await stranger.refusal { _ = try await stranger.beginSignIn() }
            #expect(refusal?.code == .providerUnreachable)
            #expect(refusal?.message.contains("not secure") == true, "\(refusal?.message ?? "")")
        }
    }

    @Test(arguments: ["refuse", "server-error@discovery", "hang"])
    func `a provider that has died is found before a worker sees its page`(how: String) async throws {
        // Where requests are pushed, that finds it.
        let provider = try await DevelopmentProviderProcess.start(["--misbehave", "no-pushed-authorization"])
        let folder = try TemporaryFolder("metrics")
        let ward = try await ProviderTerminal.start(
            at: provider.issuer, identity: ["request-timeout: 5s"],
            settings: Terminal.patient + "metrics: {textfile: \(folder.path)/baton.prom}\n")
        func isReachable() -> String? {
            folder.text(of: "baton.prom")?.split(separator: "\n").first { $0.hasPrefix("baton_provider_reachable ") }
                .map { String($0.suffix(1)) }
        }
        // Before it was asked nothing is known.
        try await eventually { folder.has("baton.prom") }
        #expect(isReachable() == nil)
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        try await eventually { isReachable() == "1" }
        _ = try await ward.device.signOut()
        try await provider.misbehave(how)
        let refusal = try await ward.refusal { _ = try await ward.beginSignIn() }
        #expect(refusal?.code == .providerUnreachable)
        #expect(try await ward.phase() == .ready)
        try await eventually { isReachable() == "0" }
        #expect(folder.text(of: "baton.prom")?.contains("\nbaton_provider_checked_timestamp_seconds ") == true)
    }

    @Test func `a client with a secret proves itself with it, and one with a wrong one does not`() async throws {
        let folder = try TemporaryFolder("clients")
        let clients = try folder.write(
            "- id: baton\n  secret: a secret of this test\n", to: "clients.yaml", mode: 0o600)
        let provider = try await DevelopmentProviderProcess.start(["--clients", clients])
        for (text, expected) in [("a secret of this test", true), ("another one", false)] {
            let file = try folder.write(text, to: "secret", mode: 0o600)
            let ward = try await ProviderTerminal.start(
                at: provider.issuer, identity: ["client-secret-file: \(file)"])
            let refusal = try await ward.refusal {
                try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
            }
            #expect((refusal == nil) == expected, "\(refusal?.message ?? "")")
            #expect(!ward.daemon.output.contains(text))
        }
    }

    @Test func `a secret that others can read is not used`() async throws {
        let folder = try TemporaryFolder("clients")
        let file = try folder.write("secret", to: "secret", mode: 0o644)
        let terminal = try Terminal(settings: "", accounts: false)
        try terminal.configure(
            ProviderTerminal.settings("http://127.0.0.1:1", "baton", ["client-secret-file: \(file)"]), accounts: false)
        let check = try terminal.run(["batond", "--session", "--check"])
        #expect(await check.end() == 78)
        #expect(check.output.contains("client-secret-file") && check.output.contains("0600"), "\(check.output)")
    }

    @Test func `what a worker has to do is told to the caller and to nobody else`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        let listener = try await Peer(ward.terminal)
        let steps = try await listener.signals(Device1.signInStep)
        let outs = try await listener.signals(Device1.signedOut)
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        _ = try await ward.device.signOut()
        for try await _ in outs { break }
        // The bus keeps the order, so a step would have come before.
        let heard = Task {
            for try await _ in steps { return true }; return false
        }
        heard.cancel()
        #expect(try await heard.value == false)
    }

    @Test func `the development provider is refused on the system bus`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let terminal = try Terminal(settings: "", accounts: false)
        try terminal.configure(
            ProviderTerminal.settings(provider.issuer, "baton", []) + "agent: {required: false}\n", accounts: false)
        let daemon = try terminal.run(
            [
                "batond", "--system", "--config", "\(terminal.folder)/config/baton/baton.yaml", "--state",
                "\(terminal.folder)/state",
            ],
            environment: [
                "DBUS_SYSTEM_BUS_ADDRESS": terminal.bus.rawAddress, "RUNTIME_DIRECTORY": "\(terminal.folder)/run",
            ])
        try await daemon.line(containing: "] ready")
        let ward = ProviderTerminal(terminal: terminal, daemon: daemon, device: try await terminal.device())
        let refusal = try await ward.refusal { _ = try await ward.beginSignIn() }
        #expect(refusal?.code == .providerRejected)
        #expect(refusal?.message.contains("development provider") == true, "\(refusal?.message ?? "")")
    }
}
