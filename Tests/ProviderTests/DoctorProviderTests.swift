import Baton
import BusTesting
import FolderTesting
import ProviderTesting
import TerminalTesting
import Testing

/// Workers who cannot sign in, found before the first of them comes.
@Suite("The doctor on a provider", .timeLimit(.minutes(2))) struct DoctorProviderTests {
    /// What doctor says of the provider, on a terminal whose batond need not run.
    private func finding(
        _ issuer: String, _ identity: [String] = [], caFile: String? = nil, settings: String = ""
    ) async throws -> String {
        let terminal = try Terminal(settings: "", accounts: false)
        let extra = identity + (caFile.map { ["ca-file: \($0)"] } ?? [])
        try terminal.configure(ProviderTerminal.settings(issuer, "baton", extra) + settings, accounts: false)
        let (_, output) = try await terminal.batonctl("doctor", "--session")
        let lines = output.split(separator: "\n").filter { $0.split(separator: " ").dropFirst().first == "provider" }
        try #require(lines.count == 1, "\(output)")
        return String(lines[0])
    }

    @Test func `one that lets the device in is right, and one that knows another redirect URI is not`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let right = try await finding(provider.issuer)
        #expect(right.hasPrefix("ok "), "\(right)")
        let folder = try TemporaryFolder("clients")
        let clients = try folder.write(
            "- {id: baton, redirect-uris: ['http://127.0.0.1/other']}\n", to: "clients.yaml", mode: 0o600)
        let strict = try await DevelopmentProviderProcess.start(["--clients", clients])
        let wrong = try await finding(strict.issuer, ["loopback-port: \(try freePort())"])
        #expect(wrong.hasPrefix("wrong "), "\(wrong)")
        #expect(wrong.contains("/signed-in") && wrong.contains("register the redirect URI"), "\(wrong)")
    }

    @Test func `one that is not there is told with its cause, and so is one that cannot be trusted`() async throws {
        let unnamed = try await finding("https://provider.invalid")
        #expect(unnamed.hasPrefix("wrong ") && unnamed.contains("not found (DNS)"), "\(unnamed)")
        let refused = try await finding("http://127.0.0.1:\(try freePort())")
        #expect(refused.hasPrefix("wrong ") && refused.contains("refused"), "\(refused)")
        let authority = try await TestCertificateAuthority()
        let provider = try await DevelopmentProviderProcess.start(certificateAuthority: authority)
        let stranger = try await finding(provider.issuer)
        #expect(stranger.hasPrefix("wrong ") && stranger.contains("not trusted here"), "\(stranger)")
        #expect(stranger.contains("identity.ca-file"), "\(stranger)")
        let known = try await finding(provider.issuer, caFile: authority.caFile)
        #expect(known.hasPrefix("ok "), "\(known)")
    }

    @Test func `one that has no device codes is wrong where phones are offered`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let phones = "start-page: {phone: true}\n"
        let right = try await finding(provider.issuer, settings: phones)
        #expect(right.hasPrefix("ok "), "\(right)")
        try await provider.misbehave("no-device-endpoint")
        let wrong = try await finding(provider.issuer, settings: phones)
        #expect(wrong.hasPrefix("wrong ") && wrong.contains("start-page.phone"), "\(wrong)")
        let unasked = try await finding(provider.issuer)
        #expect(unasked.hasPrefix("ok "), "\(unasked)")
    }

    @Test func `a server that is no provider, or does not work, is told as such`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        try await provider.misbehave("server-error@discovery")
        let broken = try await finding(provider.issuer)
        #expect(broken.hasPrefix("wrong ") && broken.contains("does not work at present"), "\(broken)")
        try await provider.misbehave("hang")
        let silent = try await finding(provider.issuer, ["request-timeout: 1s"])
        #expect(silent.hasPrefix("wrong ") && silent.contains("did not answer in time"), "\(silent)")
    }

    @Test func `Glewlwyd's word on a redirect URI is taken as it says it`() async throws {
        let authority = try await TestCertificateAuthority()
        try await withGlewlwyd(certificateAuthority: authority) { glewlwyd in
            let port = try freePort()
            try await glewlwyd.register(
                Glewlwyd.Registration(redirectURIs: ["http://127.0.0.1:\(port)/signed-in"]), of: Glewlwyd.publicClient)
            func look(_ port: UInt16) async throws -> String {
                let terminal = try Terminal(settings: "", accounts: false)
                try terminal.configure(
                    ProviderTerminal.settings(
                        glewlwyd.issuer, Glewlwyd.publicClient,
                        ["loopback-port: \(port)", "ca-file: \(authority.caFile)"]), accounts: false)
                let (_, output) = try await terminal.batonctl("doctor", "--session")
                return try #require(
                    output.split(separator: "\n").first { $0.contains(" provider ") }.map(String.init), "\(output)")
            }
            let known = try await look(port)
            #expect(!known.hasPrefix("wrong "), "\(known)")
            let unknown = try await look(try freePort())
            #expect(!unknown.hasPrefix("ok "), "\(unknown)")
            print(known, unknown, separator: "\n")
        }
    }
}
