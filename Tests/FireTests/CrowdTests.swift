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
}
