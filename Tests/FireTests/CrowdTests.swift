import Baton
import DBus
import TerminalTesting
import Testing

@Suite("Two hundred honest participants", .serialized)
struct CrowdTests {
    @Test(.timeLimit(.minutes(3))) func `all of them are told and all are waited for, turn after turn`() async throws {
        let terminal = try Terminal(settings: "barrier: {soft: 4s, hard: 14s, containment: 5s, absolute: 20s}\n")
        let daemon = try await terminal.startDaemon()
        let apps = (0..<200).map { AppUnderFire("org.example.App\($0)", on: terminal) }
        let desk = try await Peer(terminal)
        while try await desk.list().count < apps.count { try await Task.sleep(for: .milliseconds(20)) }
        for _ in 0..<5 {
            let epoch = try await desk.signIn("ana", pin: "1234")
            let receipt = try await desk.receipt(epoch, or: desk.signOut())
            #expect(receipt.outcome == .cleared)
            #expect(receipt.participants.count == apps.count)
            #expect(apps.allSatisfy { $0.held != epoch })
        }
        #expect(apps.flatMap(\.faults).isEmpty)
        await daemon.kill()
    }
}
