import Baton
import DBus
import TerminalTesting
import Testing

@Suite("Two hundred honest participants", .serialized)
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
            #expect(receipt.participants.allSatisfy { $0.outcome == "cleared" }, "\(receipt)")
        }
        #expect(crowd.faults.isEmpty, "\(crowd.faults)")
        #expect(crowd.timesCleared == Array(repeating: 5, count: 200))
        await crowd.leave()
        #expect(try await desk.list().isEmpty)
        await daemon.kill()
    }
}
