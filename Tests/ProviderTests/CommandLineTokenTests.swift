import Baton
import ProviderTesting
import TerminalTesting
import Testing

/// `batonctl token` and `batonctl call` against a real batond and a real provider.
@Suite("Tokens on the command line", .timeLimit(.minutes(2)))
struct CommandLineTokenTests {
    private let provider: DevelopmentProviderProcess

    init() async throws { provider = try await DevelopmentProviderProcess.start() }

    private func ward(_ setting: String) async throws -> ProviderTerminal {
        let ward = try await ProviderTerminal.start(
            at: provider.issuer, settings: Terminal.patient + "command-line-tokens: \(setting)\n")
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        return ward
    }

    @Test func `a token that is printed opens what it is for, and ends with the turn`() async throws {
        let ward = try await ward("[\"\(provider.issuer)\"]")
        let run = try await ward.terminal.batonctl("token")
        #expect(run.status == 0, "\(run.output)")
        let header = ("Authorization", "Bearer \(run.output)")
        let answer = try await WebClient().get("\(provider.issuer)/me", headers: [header])
        #expect(answer.status == 200 && answer.text.contains("Ana Horvat"))
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.outcome == .cleared && receipt.debts.isEmpty, "\(receipt)")
        #expect(try await WebClient().get("\(provider.issuer)/me", headers: [header]).status == 401)
    }

    @Test func `call fetches from listed origins alone`() async throws {
        let ward = try await ward("[\"\(provider.issuer)\", https://graph.microsoft.com]")
        let run = try await ward.terminal.batonctl("call", "\(provider.issuer)/me")
        #expect(run.status == 0 && run.output.contains(#""displayName":"Ana Horvat""#), "\(run.output)")
        let missing = try await ward.terminal.batonctl("call", "\(provider.issuer)/nothing-here")
        #expect(missing.status == 4, "\(missing.output)")
        let other = try await ward.terminal.batonctl("call", "https://intranet.example.org/")
        #expect(other.status == 77 && other.output.contains("command-line-tokens"), "\(other.output)")
        #expect(try await ward.device.signOut().receipt?.outcome == .cleared)
    }

    @Test func `while the setting is off nobody gets a token under these names`() async throws {
        let ward = try await ward("off")
        for command in [["token"], ["call", "\(provider.issuer)/me"]] {
            let run = try ward.terminal.run(["batonctl"] + command)
            #expect(await run.end() == 78)
            #expect(run.output.contains("command-line-tokens is off"), "\(run.output)")
        }
        // batond itself, too, whoever asks.
        for app in ["org.baton.batonctl.token", "org.baton.batonctl.call"] {
            let device = try await ward.terminal.device()
            let refusal = try await ward.refusal {
                _ = try await device.participating(as: app, clear: { _ in .nothingToClear }) {
                    try await device.acquireTokenSilently()
                }
            }
            #expect(refusal?.code == .notAuthorized && refusal?.message.contains("command-line-tokens") == true)
        }
    }

    @Test func `with nobody signed in a page is opened for who asks for one`() async throws {
        let ward = try await ProviderTerminal.start(
            at: provider.issuer, settings: Terminal.patient + "command-line-tokens: [\"\(provider.issuer)\"]\n")
        let silent = try await ward.terminal.batonctl("token")
        #expect(silent.status == 1, "\(silent.output)")
        try ward.terminal.write("ana\nana\n", to: "typed")
        let asking = try ward.terminal.run(
            ["batonctl", "call", "\(provider.issuer)/me", "--interactive"],
            environment: [
                "BROWSER": "\(Terminal.package)/Examples/typing-browser",
                "TYPING_BROWSER": "\(ward.terminal.folder)/typed",
                "DISPLAY": "", "WAYLAND_DISPLAY": "",
            ])
        #expect(await asking.end() == 0)
        #expect(asking.output.contains(#""displayName":"Ana Horvat""#), "\(asking.output)")
        #expect(try await ward.device.getCurrentAccount().current?.username == "ana")
    }
}
