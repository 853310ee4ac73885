import Baton
import ProviderTesting
import TerminalTesting
import Testing

/// Microsoft's tutorial as it is ported in Examples/Graph, against a real batond and a real provider.
@Suite("The tutorial on a shared terminal", .timeLimit(.minutes(3)))
struct GraphExampleTests {
    private let provider: DevelopmentProviderProcess
    private let ward: ProviderTerminal

    init() async throws {
        provider = try await DevelopmentProviderProcess.start()
        ward = try await ProviderTerminal.start(at: provider.issuer)
        try ward.terminal.write("ana\nana\n", to: "typed")
    }

    /// The example with a browser that types for Ana.
    private func run(_ actions: String...) async throws -> (status: Int32, lines: [String]) {
        let program = try ward.terminal.run(
            ["baton-example-graph", "--url", "\(provider.issuer)/me", "--authority", provider.issuer] + actions,
            environment: [
                "BROWSER": "\(Terminal.package)/Examples/typing-browser",
                "TYPING_BROWSER": "\(ward.terminal.folder)/typed",
                "DISPLAY": "", "WAYLAND_DISPLAY": "",
            ])
        let status = await program.end()
        return (status, program.output.split(separator: "\n").map(String.init))
    }

    @Test func `device, call, call again, and sign-out`() async throws {
        let (status, lines) = try await run("device", "call", "call", "account", "sign-out", "account")
        #expect(status == 0, "\(lines)")
        let steps = [
            "Received device info. Device is in the shared mode.", "The device is free.",
            "Waiting for the worker on the provider's page.", "Got a token for Ana Horvat after a page.",
            "Result from \(provider.issuer)/me:", "ana holds the device.", "Got a token for Ana Horvat silently.",
            "Result from \(provider.issuer)/me:", "ana holds the device.", "ana holds the device.",
            "Sign out completed successfully", "The device is free. Before, ana held it.",
        ]
        var rest = lines[...]
        for step in steps {
            let found = try #require(rest.firstIndex { $0.hasPrefix(step) }, "'\(step)' in \(lines)")
            if step.hasPrefix("Result") { #expect(rest[found].contains(#""displayName":"Ana Horvat""#)) }
            rest = rest[(found + 1)...]
        }
        #expect(try await ward.device.getCurrentAccount().current == nil)
        #expect(try await ward.device.receipts(newest: 1).first?.outcome == .cleared)
    }

    @Test func `it never prints a token`() async throws {
        let (_, lines) = try await run("call", "call", "device", "sign-out")
        let words = lines.flatMap { $0.split { !$0.isLetter && !$0.isNumber && !"-_.".contains($0) } }
        // A GUID has 36 characters, a token of this provider more.
        #expect(!words.contains { $0.count > 40 }, "\(words.filter { $0.count > 40 })")
    }

    @Test func `an app that ends before the worker leaves owes nothing`() async throws {
        #expect(try await run("call").status == 0)
        #expect(try await ward.device.getCurrentAccount().current?.username == "ana")
        let receipt = try #require(try await ward.device.signOut().receipt)
        #expect(receipt.outcome == .cleared && receipt.debts.isEmpty, "\(receipt)")
    }

    @Test func `what went wrong is said, and the program ends with 1`() async throws {
        try await provider.misbehave("wrong-signature")
        let (status, lines) = try await run("call")
        #expect(status == 1)
        #expect(lines.contains { $0.hasPrefix("Could not acquire a token:") }, "\(lines)")
    }

    @Test(arguments: [["--help"], ["dance"], ["--url"]])
    func `usage is told to whoever asks, and to whoever errs`(arguments: [String]) async throws {
        let program = try ward.terminal.run(["baton-example-graph"] + arguments)
        #expect(await program.end() == (arguments == ["--help"] ? 0 : 64))
        #expect(program.output.contains("usage: baton-example-graph"))
    }
}
