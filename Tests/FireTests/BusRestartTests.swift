import Baton
import BusTesting
import DBus
import TerminalTesting
import Testing

@Suite("The bus killed in the middle of a barrier", .serialized)
struct BusRestartTests {
    /// All unique names change, also those of the apps; they come back by themselves, and the barrier waits for them.
    @Test(.timeLimit(.minutes(3))) func `the same barrier goes on on the next bus`() async throws {
        let fire = try await FireTerminal()
        try await fire.warmUp()
        // One that does not answer keeps the barrier open.
        let silent = try await Puppet(fire.terminal)
        try await silent.peer.register("org.example.Silent")
        let epoch = try await fire.desk.signIn("ana", pin: "1234")
        let signals = try await fire.desk.signals(Device1.signingOut)
        let asked = Task { [desk = fire.desk] in try? await desk.signOut() }
        for try await _ in signals { break }

        fire.terminal.bus.kill()
        #expect(await fire.daemonEnd() == 69)
        _ = await asked.value
        await silent.program.kill()
        try fire.terminal.bus.restart()
        try await fire.start()
        let desk = try await Peer(fire.terminal)
        #expect(try await desk.epoch() == epoch)
        let receipt = try await desk.receipt(epoch, or: desk.signOut())
        // The silent one is gone, and nobody knows where its data lies.
        #expect(receipt.outcome == .owed, "\(receipt)")
        #expect(receipt.restarts == 1)
        let outcomes = receipt.participants.map(\.outcome.rawValue).sorted()
        #expect(outcomes == ["cleared", "cleared", "cleared", "owed"], "\(receipt)")
        #expect(fire.apps.allSatisfy { $0.held == nil && $0.faults.isEmpty })
        #expect(fire.witness.faults.isEmpty, "\(fire.witness.faults)")
        await fire.end()
    }
}
