import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting
import Testing

@Suite("The log of a running batond", .timeLimit(.minutes(4)))
struct LogTests {
    @Test(arguments: [("", "a..."), ("log: {names: plain}\n", "ana")])
    func `a turn is told with its epoch and its outcome, its worker by a mask unless the settings say otherwise`(
        settings: String, account: String
    ) async throws {
        let terminal = try Terminal(settings: Terminal.patient + settings)
        let daemon = try await terminal.startDaemon(["--log-level", "trace"])
        let peer = try await Peer(terminal)
        let epoch = try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        let begin = try await daemon.line(containing: "a worker has signed in")
        #expect(begin.contains(" account=\(account) epoch=\(epoch) "))
        let end = try await daemon.line(containing: "the worker is signed out")
        for word in ["account=\(account)", "epoch=\(epoch)", "outcome=cleared", "reason=user", "participants=0"] {
            #expect(end.contains(" \(word) "), "\(end)")
        }
        #expect(daemon.output.contains("Horvat") == false)
        #expect(daemon.output.contains("account=ana") == (account == "ana"))
        #expect(!daemon.output.contains("message-id"))
    }

    @Test func `an app that did not answer has a line of its own`() async throws {
        // Nobody is there who could contain it, so both deadlines run out.
        let terminal = try Terminal(
            settings: "agent: {required: false, start: false}\n"
                + "barrier: {soft: 300ms, hard: 1s, containment: 1s, absolute: 3s}\n")
        let daemon = try await terminal.startDaemon(agent: false)
        let (peer, app) = (try await Peer(terminal), try await Peer(terminal))
        try await app.register("org.example.Silent")
        let epoch = try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        let line = try await daemon.line(containing: "an app did not clear by itself")
        #expect(line.contains(" app=org.example.Silent epoch=\(epoch) "))
        withExtendedLifetime(app) {}
    }

    @Test func `at the finest level the log still has no PIN in it`() async throws {
        let terminal = try Terminal(settings: "agent: {required: false, start: false}\n" + Terminal.patient)
        let daemon = try await terminal.startDaemon(["--log-level", "trace"], agent: false)
        let peer = try await Peer(terminal)
        #expect(try await peer.refusal { try await peer.signIn("ana", pin: "7391582604") } != nil)
        #expect(try await peer.refusal { try await peer.signIn("ana\n2026 critical", pin: "7391582604") } != nil)
        try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
        #expect(!daemon.output.contains("7391582604"))
        let lines = daemon.output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.contains(" batond: ") }, "\(daemon.output)")
    }

    // MARK: At run time

    private func busctl(_ terminal: Terminal, _ words: [String], user: String? = nil) async throws -> (Int32, String) {
        let identity = user.map { ["setpriv", "--reuid", $0, "--regid", $0, "--clear-groups"] } ?? []
        let place = ["org.baton.Device1", "/org/freedesktop/LogControl1", "org.freedesktop.LogControl1"]
        let program = try terminal.run(
            identity + ["busctl", "--address=\(terminal.bus.rawAddress)", words[0]] + place + words.dropFirst())
        return (await program.end(), program.output)
    }

    @Test func `the level is read and changed while batond runs`() async throws {
        let terminal = try Terminal(settings: "agent: {required: false, start: false}\n" + Terminal.patient)
        let daemon = try await terminal.startDaemon(agent: false)
        let peer = try await Peer(terminal)
        #expect(try await busctl(terminal, ["get-property", "LogLevel"]) == (0, #"s "info""#))
        #expect(try await busctl(terminal, ["get-property", "LogTarget"]) == (0, #"s "console""#))
        #expect(try await busctl(terminal, ["get-property", "SyslogIdentifier"]) == (0, #"s "batond""#))
        try await peer.signIn("ana", pin: "1234")
        try await daemon.line(containing: "a worker has signed in")

        #expect(try await busctl(terminal, ["set-property", "LogLevel", "s", "err"]).0 == 0)
        try await daemon.line(containing: "level=err ")
        #expect(try await busctl(terminal, ["get-property", "LogLevel"]) == (0, #"s "err""#))
        _ = try await peer.signOut()
        #expect(try await busctl(terminal, ["set-property", "LogLevel", "s", "debug"]).0 == 0)
        try await daemon.line(containing: "level=debug ")
        #expect(!daemon.output.contains("the worker is signed out"))
        try await peer.signIn("bo", pin: "5678")
        try await daemon.line(containing: "a worker has signed in", count: 2)
    }

    @Test func `a level that there is not, and what is only read, change nothing`() async throws {
        let terminal = try Terminal(settings: "agent: {required: false, start: false}\n")
        let daemon = try await terminal.startDaemon(agent: false)
        let level = try await busctl(terminal, ["set-property", "LogLevel", "s", "loud"])
        #expect(level.0 != 0)
        #expect(level.1.contains("emerg, alert, crit, err, warning, notice, info or debug"))
        #expect(try await busctl(terminal, ["set-property", "LogLevel", "u", "7"]).0 != 0)
        #expect(try await busctl(terminal, ["set-property", "LogTarget", "s", "null"]).0 != 0)
        #expect(try await busctl(terminal, ["get-property", "LogLevel"]) == (0, #"s "info""#))
        withExtendedLifetime(daemon) {}
    }

    @Test(.enabled(if: geteuid() == 0, "only root becomes another user"))
    func `who is no administrator may read the level and not change it`() async throws {
        let terminal = try Terminal(settings: "agent: {required: false, start: false}\n", isOpen: true)
        let daemon = try await terminal.startDaemon(agent: false)
        #expect(try await busctl(terminal, ["get-property", "LogLevel"], user: "65534") == (0, #"s "info""#))
        let set = try await busctl(terminal, ["set-property", "LogLevel", "s", "debug"], user: "65534")
        #expect(set.0 != 0)
        #expect(set.1.contains("Only an administrator"), "\(set.1)")
        #expect(try await busctl(terminal, ["get-property", "LogLevel"]) == (0, #"s "info""#))
        withExtendedLifetime(daemon) {}
    }
}
