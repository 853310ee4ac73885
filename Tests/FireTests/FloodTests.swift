import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting
import Testing

/// Callers that bring descriptors, and callers that do not read, from processes that write their messages themselves.
@Suite("A flood of calls", .serialized, .timeLimit(.minutes(4)))
struct FloodTests {
    private let terminal: Terminal
    private let daemon: Program
    private let desk: Peer

    init() async throws {
        terminal = try Terminal(settings: Terminal.patient, isOrdinary: true)
        // What it may not raise: with more of them it would only take a larger flood.
        daemon = try terminal.run([
            "sh", "-c", "ulimit -n 1024; exec \"$0\" --session", "\(Terminal.binaries)/batond",
        ])
        try await daemon.line(containing: "the agent has registered")
        desk = try await Peer(terminal)
    }

    private func flood(_ kind: String) throws -> Program {
        try terminal.run(["/usr/bin/python3", "\(Terminal.package)/Tests/FireTests/flood.py", kind])
    }

    /// A whole turn, as if there were no flood.
    private func expectTurn() async throws {
        let epoch = try await desk.signIn("ana", pin: "1234")
        let receipt = try await desk.receipt(epoch, or: desk.signOut())
        #expect(receipt.outcome == .cleared || receipt.outcome == .owed, "\(receipt)\n\(daemon.output.suffix(2000))")
    }

    @Test func `tokens that never come end nothing and are refused at once`() async throws {
        let flood = try flood("tokens")
        // Those that waited for their pipes, two seconds each, would be more than batond can have open.
        try await flood.line(containing: "all are sent")
        #expect(daemon.openDescriptors < 350)
        try await flood.line(containing: "registered: 0")
        try await expectTurn()
        await flood.kill()
    }

    @Test func `descriptors that no call asked for are closed, and calls are answered`() async throws {
        let before = daemon.openDescriptors
        let flood = try flood("descriptors")
        // The bus itself refuses some, where batond is not as fast as they come.
        let line = try await flood.line(containing: "answered: ")
        #expect(line != "answered: 0")
        try await expectTurn()
        #expect(try await daemon.openDescriptors(soonAtMost: before) <= before)
        await flood.kill()
    }

    @Test func `callers that never read an answer hold no sign-out up`() async throws {
        let epoch = try await desk.signIn("ana", pin: "1234")
        let flood = try flood("deaf")
        try await flood.line(containing: "done")
        let receipt = try await desk.receipt(epoch, or: desk.signOut())
        #expect(receipt.outcome == .cleared || receipt.outcome == .owed, "\(receipt)")
        #expect(receipt.rejected.contains { $0.error == .misuse(.unread) }, "\(receipt)")
        // Those that read are answered, also with what is large.
        #expect(
            try await desk.connection.call(Self.introspect, to: Device1.busName, at: Device1.path).contains("SignOut"))
        await flood.kill()
        try await expectTurn()
    }

    private static let introspect = Method(
        "org.freedesktop.DBus.Introspectable", "Introspect", gives: Arguments(("xml", String.self)))
}
