import Glibc
import TerminalTesting
import Testing

/// Whose accounts `batonctl account` changes.
@Suite(.timeLimit(.minutes(2)))
struct AccountTests {
    private static let systemFile = "/etc/baton/baton.yaml"

    /// Removes an account as somebody for whom nothing but the two buses says which batond is meant.
    private func remove(
        _ username: String, _ options: [String] = [], on terminal: Terminal, systemBus: String
    ) async throws -> (status: Int32, output: String) {
        let program = try terminal.run(
            ["batonctl", "account", "remove", username] + options,
            environment: ["BATON_BUS": "", "DBUS_SYSTEM_BUS_ADDRESS": systemBus])
        let status = await program.end()
        return (status, program.output)
    }

    @Test func `where batond is on the system bus they are the terminal's, as for every other command`() async throws {
        let quiet = "agent: {required: false, start: false}\n"
        let (system, session) = (try Terminal(settings: quiet), try Terminal(settings: quiet))
        let daemon = try await system.startDaemon(agent: false)
        // Nobody has that name, so that nothing is changed on a machine that is a terminal.
        let (status, output) = try await remove(
            "nobody-of-that-name", on: session, systemBus: system.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "")
        #expect(status != 0)
        #expect(output.contains("/etc/baton") && !output.contains(session.folder), "\(output)")
        let (own, said) = try await remove(
            "bo", ["--session"], on: session, systemBus: system.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "")
        #expect(own == 0, "\(said)")
        #expect(said.contains("\(session.folder)/config/baton/baton.yaml"), "\(said)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `root is told of a file that no batond of the system reads, unless they said that they mean it`()
        async throws
    {
        let terminal = try Terminal()
        let nowhere = "unix:path=\(terminal.folder)/nobody"
        let (status, output) = try await remove("bo", on: terminal, systemBus: nowhere)
        #expect(status == 0, "\(output)")
        #expect(output.contains("\(terminal.folder)/config/baton/baton.yaml"), "\(output)")
        let isTold = output.contains("--system") && output.contains(Self.systemFile)
        #expect(isTold == (geteuid() == 0), "\(output)")
        try terminal.configure(Terminal.quick)
        let (meant, said) = try await remove("bo", ["--session"], on: terminal, systemBus: nowhere)
        #expect(meant == 0 && !said.contains("--system"), "\(said)")
    }
}
