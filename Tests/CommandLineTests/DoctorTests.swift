import BusTesting
import Glibc
import TerminalTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct DoctorTests {
    /// The lines that are about one thing.
    private func lines(_ output: String, _ check: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { line in
            line.split(separator: " ").dropFirst().first.map { $0 == check } ?? false
        }
    }

    @Test func `it names what runs and finds no fault with it`() async throws {
        let terminal = try Terminal()
        chmod("\(terminal.folder)/config/baton/baton.yaml", 0o600)
        let daemon = try await terminal.startDaemon()
        let (status, output) = try await terminal.batonctl("doctor", "--session")
        for check in ["bus", "daemon", "owner", "journal", "settings", "kernel", "agent", "browser"] {
            #expect(lines(output, check).contains { $0.hasPrefix("ok ") }, "\(check): \(output)")
        }
        // What this machine is cannot be known here; 1 would say that something is wrong.
        #expect(status == 0 || status == 2, "\(output)")
        #expect((status == 0) == output.contains("All is well."))
        withExtendedLifetime(daemon) {}
    }

    @Test func `without a bus and without batond it says what to start`() async throws {
        let terminal = try Terminal()
        let (status, output) = try await terminal.batonctl("doctor")
        #expect(status == 1)
        #expect(lines(output, "daemon").first?.hasPrefix("wrong") == true)
        #expect(output.contains("batond --session"))
        let nothing = try terminal.run(
            ["batonctl", "doctor", "--session"], environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
        #expect(await nothing.end() == 1)
        #expect(lines(nothing.output, "bus").first?.hasPrefix("wrong") == true)
        // The rest is looked at all the same.
        #expect(lines(nothing.output, "kernel").first?.hasPrefix("ok") == true)
    }

    @Test func `settings with a fault are told with file, line and key`() async throws {
        let terminal = try Terminal(settings: "barrier: {soft: soon}\n", accounts: false)
        let (status, output) = try await terminal.batonctl("doctor")
        #expect(status == 1)
        #expect(lines(output, "settings").first?.contains("baton.yaml:1") == true, "\(output)")
        #expect(lines(output, "settings").first?.contains("soft") == true)
    }

    @Test func `a journal that others can read, a quarantine and an agent that is away are wrong`() async throws {
        let terminal = try Terminal(settings: "agent: {start: false}\n" + Terminal.quick)
        let daemon = try await terminal.startDaemon(agent: false)
        chmod("\(terminal.folder)/state/baton", 0o755)
        let (status, output) = try await terminal.batonctl("doctor")
        #expect(status == 1)
        #expect(lines(output, "journal").first?.contains("chmod 0700") == true, "\(output)")
        #expect(lines(output, "agent").first?.hasPrefix("wrong") == true)
        withExtendedLifetime(daemon) {}
    }

    @Test func `its JSON has a row for each look`() async throws {
        let terminal = try Terminal()
        let program = try terminal.run([
            "sh", "-c",
            #"\#(Terminal.binaries)/batonctl doctor --json | python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["well"], all(set(f)=={"check","state","text","advice"} for f in d["findings"]), [f["state"] for f in d["findings"] if f["check"]=="daemon"])'"#,
        ])
        #expect(await program.end() == 0)
        #expect(program.output == "False True ['wrong']")
    }
}
