import Baton
import BusTesting
import DBus
import FolderTesting
import TerminalTesting
import Testing

@Suite(
    "A disk that takes two seconds for each write", .timeLimit(.minutes(5)),
    .enabled(if: SlowDisk.isAllowed, "strace is missing, or may trace no other process here"))
struct SlowDiskTests {
    private static let app = "org.example.App"

    struct Limits: CustomTestStringConvertible {
        var settings: String
        /// Seconds.
        var absolute: Int
        var testDescription: String { "\(absolute) s" }
    }

    /// As the settings are where they are not changed; the longest; and one that such a disk cannot keep.
    @Test(arguments: [
        Limits(settings: "", absolute: 10), Limits(settings: Terminal.patient, absolute: 20),
        Limits(settings: "barrier: {soft: 1s, hard: 2s, containment: 1s, absolute: 3s}\n", absolute: 3),
    ])
    func `a sign-out ends within its absolute limit, or its receipt says which limit it broke`(
        limits: Limits
    ) async throws {
        let terminal = try Terminal(settings: limits.settings)
        let daemon = try await terminal.startDaemon()
        let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
        let registration = try await app.peer.register(Self.app)
        let epoch = try await desk.signIn("ana", pin: "1234")
        var leaving = try await desk.signals(Device1.signingOut).makeAsyncIterator()
        let disk = try await SlowDisk(under: daemon, on: terminal)
        let signOut = Task { try await desk.signOut() }
        #expect(try await next(&leaving).0 == epoch)
        try await app.peer.acknowledge(epoch, registration.instance)
        let receipt = try #require(try await signOut.value)
        // What the worker has waited for at least; more than one of them at a time does not wait.
        let waited = disk.delayed * SlowDisk.seconds
        #expect(waited >= 2 * SlowDisk.seconds, "begin and end were written")
        let isBroken = waited > limits.absolute || receipt.milliseconds > limits.absolute * 1000
        #expect(!isBroken || receipt.explanation.contains("absolute limit of \(limits.absolute) s"), "\(receipt)")
        #expect(receipt.outcome == .cleared || isBroken, "\(receipt)")
        #expect(app.isRunning, "it cleared in time")
        await daemon.kill()
        await disk.end()
    }
}

/// strace, which lets each write of a program to the disk take its time.
struct SlowDisk {
    static let seconds = 2

    private let strace: Program
    private let log: String

    /// What SQLite's log, and the files beside it, are made durable with.
    private static let calls = "fsync,fdatasync"

    init(under program: Program, on terminal: Terminal) async throws {
        log = "\(terminal.folder)/strace-\(program.pid)"
        strace = try terminal.run([
            "strace", "-f", "-o", log, "-e", "trace=\(Self.calls)", "-e",
            "inject=\(Self.calls):delay_enter=\(Self.seconds)000000", "-p", "\(program.pid)",
        ])
        try await strace.line(containing: "attached")
    }

    /// How many calls have waited so far.
    var delayed: Int {
        (contents(log) ?? "").split(separator: "\n").count { $0.contains("(DELAYED)") }
    }

    /// Waits until it has seen the program's end.
    func end() async { _ = await strace.end() }

    /// Whether a process may be traced that another one has started.
    static let isAllowed: Bool = {
        let trial = try? ChildProcess(["sh", "-c", "sleep 1 & exec strace -qq -o /dev/null -p $!"])
        return trial?.waitForEnd().status == 0
    }()
}
