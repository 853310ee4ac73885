import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

@Suite("Two hundred participants", .serialized)
struct CrowdTests {
    @Test(.timeLimit(.minutes(3))) func `all of them are told and all are waited for, turn after turn`() async throws {
        let terminal = try Terminal(settings: "barrier: {soft: 4s, hard: 14s, containment: 5s, absolute: 20s}\n")
        let daemon = try await terminal.startDaemon()
        let crowd = try terminal.run(["\(Terminal.package)/Tests/FireTests/crowd.py", "200"])
        try await crowd.line(containing: "all are there")
        let desk = try await Peer(terminal)
        for _ in 0..<5 {
            let epoch = try await desk.signIn("ana", pin: "1234")
            let receipt = try await desk.receipt(epoch, or: desk.signOut())
            #expect(receipt.outcome == .cleared)
            #expect(receipt.participants.count == 200)
        }
        #expect(!crowd.output.contains("refused"))
        await crowd.kill()
        await daemon.kill()
    }

    /// More than an agent works on at a time, and more than a bus lets wait for an answer.
    @Test(.timeLimit(.minutes(3))) func `that all fall silent are all contained, and nobody is in doubt`() async throws
    {
        try await containAll()
    }

    /// The next agent has to take hold of all of them at once.
    @Test(.timeLimit(.minutes(3))) func `are all held on to by an agent that starts again`() async throws {
        try await containAll { daemon, desk in
            let line = try await daemon.line(containing: "the agent has registered")
            let name = try #require(line.split(separator: "sender=").last?.prefix { $0 != " " && $0 != "]" })
            let agent = try #require(BusName(String(name)))
            kill(Int32(clamping: try #require(try await desk.connection.credentials(of: agent).pid)), SIGKILL)
            try await daemon.line(containing: "the agent has registered", count: 2)
        }
    }

    /// A worker leaves two hundred processes that never answer.
    private func containAll(meanwhile: (Program, Peer) async throws -> Void = { _, _ in }) async throws {
        // An agent that starts again has the time of a slow machine to take hold of them.
        let terminal = try Terminal(
            settings: "barrier: {soft: 1s, hard: 2s, containment: 17s, absolute: 20s}\nagent: {grace: 60s}\n")
        let daemon = try await terminal.startDaemon()
        let crowd = try terminal.run(["\(Terminal.package)/Tests/FireTests/crowd.py", "200", "apart", "silent"])
        try await crowd.line(containing: "all are there")
        let desk = try await Peer(terminal)
        let epoch = try await desk.signIn("ana", pin: "1234")
        try await meanwhile(daemon, desk)
        let receipt = try await desk.receipt(epoch, or: desk.signOut())
        // No file of theirs says what to wipe, so each owes the turn's clearing.
        #expect(receipt.outcome == .owed, "\(receipt)")
        #expect(receipt.participants.count == 200)
        #expect(receipt.participants.allSatisfy { $0.outcome == .owed }, "\(receipt)")
        await crowd.kill()
        await daemon.kill()
    }

    /// All of them register at once, and each takes part over connections of its own.
    @Test(.timeLimit(.minutes(3))) func `of the client library go through turn after turn in one process`() async throws
    {
        let terminal = try Terminal(settings: "barrier: {soft: 4s, hard: 14s, containment: 5s, absolute: 20s}\n")
        let daemon = try await terminal.startDaemon()
        let crowd = LibraryCrowd(200, on: terminal)
        await crowd.registered()
        let desk = try await Peer(terminal)
        for _ in 0..<5 where crowd.faults.isEmpty {
            let epoch = try await desk.signIn("ana", pin: "1234")
            await crowd.told(of: epoch)
            let receipt = try await desk.receipt(epoch, or: desk.signOut())
            #expect(receipt.outcome == .cleared, "\(receipt)")
            #expect(receipt.participants.count == 200)
            #expect(receipt.participants.allSatisfy { $0.outcome == .cleared }, "\(receipt)")
        }
        #expect(crowd.faults.isEmpty, "\(crowd.faults)")
        #expect(crowd.timesCleared == Array(repeating: 5, count: 200))
        await crowd.leave()
        #expect(try await desk.list().isEmpty)
        await daemon.kill()
    }
}
