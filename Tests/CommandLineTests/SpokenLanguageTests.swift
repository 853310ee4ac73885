import TerminalTesting
import Testing

/// The language in which batonctl speaks to a worker.
@Suite(.timeLimit(.minutes(2))) struct SpokenLanguageTests {
    private func run(
        _ arguments: [String], in locale: String, on terminal: Terminal
    ) async throws -> (status: Int32, output: String) {
        let program = try terminal.run(["batonctl"] + arguments, environment: ["LANG": locale])
        let status = await program.end()
        return (status, program.output)
    }

    @Test func `a worker reads their own, and a program what it has always read`() async throws {
        let terminal = try Terminal(settings: "agent: {required: false, start: false}\n")
        let daemon = try await terminal.startDaemon(agent: false)
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        let german = try await run(["status"], in: "de_AT.UTF-8", on: terminal).output.split(separator: "\n")
        #expect(german.contains { $0.hasPrefix("Zustand") && $0.hasSuffix("in Benutzung") }, "\(german)")
        #expect(
            german.contains { $0.hasPrefix("Benutzt von") && $0.contains("Ana Horvat (ana), Anmeldung ") }, "\(german)")
        let english = try await terminal.batonctl("status").output
        #expect(english.contains("\nPhase     in use\nHeld by   Ana Horvat (ana), turn "), "\(english)")
        for locale in ["C", "POSIX", "en_US.UTF-8", "hr_HR.UTF-8"] {
            #expect(try await run(["status"], in: locale, on: terminal).output == english, "\(locale)")
        }
        let json = try await run(["status", "--json"], in: "de_AT.UTF-8", on: terminal).output
        #expect(try await terminal.batonctl("status", "--json").output == json)
        let out = try await run(["sign-out"], in: "hu_HU.UTF-8", on: terminal).output
        #expect(out.contains("Az eszköz készen áll"), "\(out)")
        let again = try await run(["sign-out"], in: "cs_CZ.UTF-8", on: terminal)
        #expect(again.status == 0 && again.output == "Nikdo není přihlášen; není co dělat.", "\(again)")
        withExtendedLifetime(daemon) {}
    }
}
