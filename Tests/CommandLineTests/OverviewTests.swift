import Baton
import FolderTesting
import Glibc
import TerminalTesting
import Testing

/// `batonctl` alone says where one stands, and what can be done.
@Suite("batonctl without a command", .timeLimit(.minutes(2)))
struct OverviewTests {
    private func commands(_ output: String) -> [String] {
        output.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { line in
            String(line.drop { $0 == " " }).components(before: "  ")
        }
    }

    @Test func `it names the phase and commands that fit it`() async throws {
        let terminal = try Terminal(settings: "agent: {required: false, start: false}\n" + Terminal.patient)
        let none = try await terminal.batonctl()
        #expect(none.status == 0 && none.output.hasPrefix("No batond runs on this bus."), "\(none.output)")
        #expect(commands(none.output).first == "batonctl doctor")
        let daemon = try await terminal.startDaemon(agent: false)
        let free = try await terminal.batonctl()
        #expect(free.output.hasPrefix("This terminal is free."), "\(free.output)")
        #expect(commands(free.output) == ["batonctl sign-in NAME", "batonctl receipts", "batonctl status"])
        #expect(free.output.hasSuffix("batonctl --help shows all commands."))
        let peer = try await Peer(terminal)
        let epoch = try await peer.signIn("ana", pin: "1234")
        let used = try await terminal.batonctl("--session")
        #expect(used.output.hasPrefix("Ana Horvat (ana) holds this terminal (turn \(epoch))."), "\(used.output)")
        #expect(commands(used.output) == ["batonctl sign-out", "batonctl lock", "batonctl status"])
        // What it names can be done.
        #expect(try await terminal.batonctl("sign-out").status == 0)
        #expect(try await terminal.batonctl("device-mode", "set", "default").status == 0)
        let personal = try await terminal.batonctl("overview", "--json")
        #expect(personal.output.contains("This device is not shared"), "\(personal.output)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `a device in quarantine says why, and what to try first`() async throws {
        let terminal = try Terminal(
            settings: "barrier: {soft: 300ms, hard: 1s, containment: 1s, absolute: 3s, unproven: quarantine}\n"
                + "agent: {required: false, start: false}\n")
        let daemon = try await terminal.startDaemon(agent: false)
        let (peer, silent) = (try await Peer(terminal), try await Peer(terminal))
        try await silent.register("org.example.Silent")
        try await peer.signIn("ana", pin: "1234")
        #expect(try await peer.signOut()?.outcome == .quarantined)
        let shown = try await terminal.batonctl()
        #expect(shown.output.hasPrefix("This terminal is out of service: "), "\(shown.output)")
        #expect(commands(shown.output) == ["batonctl sign-out", "batonctl doctor", "batonctl reset"])
        withExtendedLifetime((daemon, silent)) {}
    }

    @Test func `help is still what help says, and a wrong word is named`() async throws {
        let terminal = try Terminal()
        #expect(try await terminal.batonctl("--help").output.contains("SUBCOMMANDS"))
        let wrong = try await terminal.batonctl("sign-ot")
        #expect(wrong.status == 64 && wrong.output.contains("sign-ot"), "\(wrong.output)")
    }
}

extension String {
    fileprivate func components(before separator: String) -> String {
        firstRange(of: separator).map { String(self[..<$0.lowerBound]) } ?? self
    }
}
