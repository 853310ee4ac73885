import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// A sign-out that cannot prove that the worker is gone quarantines, and how that ends.
    @Suite("What could not be proven", .timeLimit(.minutes(3)))
    struct UnprovenTests {
        /// For an agent that is paused: its time must run out.
        private static let brief = "barrier: {soft: 300ms, hard: 1s, containment: 3s, absolute: 5s}\n"

        @Test func `what cannot be contained quarantines, and asking again when it can be opens the gate`() async throws
        {
            let terminal = try ListedApp.terminal(Self.brief)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register(ListedApp.id)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let agent = try await AgentProcess(of: daemon, on: terminal)
            agent.pause()
            let (status, output) = try await terminal.batonctl("sign-out")
            #expect(status == 5, "\(output)")
            #expect(try await desk.phase() == "quarantined")
            let receipt = try await terminal.lastReceipt()
            #expect(receipt.outcome == .quarantined)
            #expect(receipt.participant(ListedApp.id)?.outcome == .unproven)
            #expect(receipt.explanation.contains(ListedApp.id))
            #expect(receipt.release == nil)
            #expect(app.isRunning)
            #expect(try await desk.refusal { try await desk.signIn("bo", pin: "5678") } == "Quarantined")
            let text = try await terminal.batonctl("status").output
            #expect(text.contains("quarantined"), "\(text)")

            agent.resume()
            // batond ends the silent agent by itself, and the next one may have made up for it before this asks.
            let again = try await desk.receipt(epoch, or: desk.signOut())
            #expect(again.epoch == epoch)
            #expect(again.release?.by == .retry)
            #expect(try await desk.phase() == "ready")
            #expect(!app.isRunning)
            ListedApp.expectWiped(on: terminal)
            #expect(try await desk.signIn("bo", pin: "5678") == epoch.next)
        }

        @Test func `an administrator ends a quarantine, and is told what was not proven`() async throws {
            let terminal = try ListedApp.terminal(Self.brief + "agent: {start: false}\n")
            let daemon = try await terminal.startDaemon(agent: false)
            let agent = try await FakeAgent(terminal)
            agent.script { $0.containment = "failed" }
            try await daemon.line(containing: "the agent has registered")
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register(ListedApp.id)
            try await desk.signIn("ana", pin: "1234")
            #expect(try await terminal.batonctl("sign-out").status == 5)
            let (status, output) = try await terminal.batonctl("reset")
            #expect(status == 0, "\(output)")
            #expect(output.contains(ListedApp.id), "\(output)")
            #expect(try await desk.phase() == "ready")
            let receipt = try await terminal.lastReceipt()
            #expect(receipt.outcome == .quarantined)
            #expect(receipt.release?.by == .administrator)
            #expect(receipt.release?.explanation.contains(ListedApp.id) == true)
            // What was not proven is owed now.
            #expect(try await desk.list().map(\.state) == [.owed])
            #expect(try await terminal.batonctl("reset").status == 1)
        }

        @Test func `where nothing may stay unproven, a debt quarantines until the app has cleared`() async throws {
            let terminal = try Terminal(
                settings: "barrier: {soft: 300ms, hard: 1s, containment: 10s, absolute: 19s, unproven: quarantine}\n")
            let daemon = try await terminal.startDaemon()
            let desk = try await Peer(terminal)
            var app = try await Puppet(terminal)
            try await app.peer.register("org.example.Unlisted")
            let epoch = try await desk.signIn("ana", pin: "1234")
            await app.program.kill()
            let receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .quarantined)
            #expect(receipt.participant("org.example.Unlisted")?.outcome == .unproven)

            app = try await Puppet(terminal)
            let registration = try await app.peer.register("org.example.Unlisted", clears: false)
            #expect(registration.phase == "quarantined")
            #expect(registration.clearThrough == epoch)
            try await app.peer.acknowledge(epoch, registration.instance)
            try await desk.waitForPhase(.ready)
            #expect(try await terminal.lastReceipt().release?.by == .retry)
            #expect(try await desk.signIn("bo", pin: "5678") == epoch.next)
            withExtendedLifetime(daemon) {}
        }
    }
}
