import Baton
import DBus
import ProviderTesting
import TerminalTesting
import Testing

@Suite("Tokens on the command line", .timeLimit(.minutes(2)))
struct CommandLineTests {
    @Test(arguments: ["batond", "baton-agent", "batonctl", "baton-devidp"])
    func `every program says its version`(_ name: String) async throws {
        let program = try Terminal().run([name, "--version"])
        #expect(await program.end() == 0)
        #expect(program.output == Version.current)
    }

    @Test(arguments: ["org.baton.batonctl.token", "org.baton.batonctl.call"])
    func `are off unless the settings name origins, also when they are read anew`(id: String) async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        let app = try await TokenApp.register(ward.terminal, id)
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        let refused = try await refusal { try await app.silently() }
        #expect(refused.code == .notAuthorized && refused.message.contains("command-line-tokens"))
        #expect(try await refusal { try await app.interactively { _ in } }.code == .notAuthorized)
        #expect(try await ward.device.deviceInformation().commandLineOrigins == nil)

        func reload(_ setting: String) async throws {
            try ward.terminal.configure(
                ProviderTerminal.settings(provider.issuer, "baton", []) + Terminal.patient
                    + "command-line-tokens: \(setting)\n", accounts: false)
            _ = try await app.peer.call(Administration.reload)
        }
        try await reload("[HTTPS://Graph.Microsoft.com:443/, \"http://127.0.0.1:8080\"]")
        #expect(!(try await app.silently()).accessToken.isEmpty)
        #expect(
            try await ward.device.deviceInformation().commandLineOrigins == [
                "https://graph.microsoft.com", "http://127.0.0.1:8080",
            ])
        try await reload("off")
        #expect(try await refusal { try await app.silently() }.code == .notAuthorized)
        #expect(try await ward.device.deviceInformation().commandLineOrigins == nil)
    }
}
