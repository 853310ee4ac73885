import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// The journal is damaged while a worker holds the device and their app runs.
    @Suite("A reset of a journal that nobody can read", .timeLimit(.minutes(3)))
    struct UnreadableJournalTests {
        private static let app = "org.example.App"

        /// What knows of the turn.
        enum Knowing: CaseIterable { case epochFile, boot }

        private let terminal: Terminal

        init() throws {
            terminal = try Terminal(settings: Terminal.patient + "agent: {start: false, grace: 60s}\n")
        }

        private func damage(knowing: Knowing = .epochFile) throws {
            for suffix in ["-wal", "-shm"] { unlink("\(terminal.folder)/state/baton/baton.sqlite\(suffix)") }
            try terminal.write("garbage, but of somebody", to: "state/baton/baton.sqlite")
            let other = knowing == .boot ? "state/baton/epoch" : "run/baton/journal-seen"
            #expect(knowing == .epochFile || unlink("\(terminal.folder)/\(other)") == 0)
        }

        @Test(arguments: Knowing.allCases)
        func `ends the open turn with what the agent has hold of, and only then makes ready`(
            _ knowing: Knowing
        ) async throws {
            var daemon = try await terminal.startDaemon(agent: false)
            let agent = try terminal.run(["baton-agent", "--session"])
            try await daemon.line(containing: "the agent has registered")
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            await daemon.kill()
            try damage(knowing: knowing)
            daemon = try await terminal.startDaemon()
            #expect(try await desk.phase() == "quarantined" && app.isRunning)

            let reset = try await terminal.batonctl("reset")
            #expect(reset.status == 0, "\(reset.output)")
            #expect(try await desk.phase() == "ready")
            #expect(!app.isRunning, "what nobody has ended is not over")
            let receipt = try #require(try await desk.receipt(epoch))
            #expect(receipt.outcome == .quarantined && receipt.reason == .recovery, "\(receipt)")
            #expect(receipt.account == nil && receipt.explanation.contains("put a journal aside"), "\(receipt)")
            #expect(receipt.participant("*gone")?.outcome == .owed, "\(receipt)")
            let release = try #require(receipt.release)
            #expect(release.by == .administrator && release.explanation.contains("unchecked"), "\(release)")
            #expect(reset.output.contains("unchecked"), "\(reset.output)")
            #expect(try await desk.signIn("bo", pin: "5678") == epoch.next)
            withExtendedLifetime((daemon, agent)) {}
        }

        @Test func `makes nothing ready whose browser has not ended, or without an agent that could end it`()
            async throws
        {
            var daemon = try await terminal.startDaemon(agent: false)
            let first = try await FakeAgent(terminal)
            try await daemon.line(containing: "the agent has registered")
            let desk = try await Peer(terminal)
            let epoch = try await desk.signIn("ana", pin: "1234")
            await daemon.kill()
            await first.peer.connection.close()
            try damage()
            daemon = try await terminal.startDaemon(agent: false)
            let reset = Task { try await terminal.batonctl("reset") }
            try await desk.waitForPhase(.clearing)
            var script = FakeAgent.Script()
            script.browser = "failed"
            let agent = try await FakeAgent(terminal, script)
            let (status, output) = try await reset.value
            #expect(status == 1 && output.contains("has not ended"), "\(output)")
            #expect(try await desk.phase() == "quarantined")
            #expect(try await desk.receipt(epoch)?.release == nil)
            await agent.peer.connection.close()
            try await daemon.line(containing: "the agent has left the bus")
            #expect(try await terminal.batonctl("reset").status == 1)
            let last = try await FakeAgent(terminal)
            try await daemon.line(containing: "the agent has registered", count: 2)
            #expect(try await terminal.batonctl("reset").status == 0)
            #expect(try await desk.phase() == "ready")
            withExtendedLifetime((daemon, last)) {}
        }

        @Test func `begins at once where the last turn is known to have ended`() async throws {
            var daemon = try await terminal.startDaemon(agent: false)
            var agent = try await FakeAgent(terminal)
            try await daemon.line(containing: "the agent has registered")
            let desk = try await Peer(terminal)
            let epoch = try await desk.signIn("ana", pin: "1234")
            #expect(try await desk.signOut()?.outcome == .cleared)
            await daemon.kill()
            await agent.peer.connection.close()
            try damage()
            daemon = try await terminal.startDaemon(agent: false)
            agent = try await FakeAgent(terminal)
            let reset = try await terminal.batonctl("reset")
            #expect(reset.status == 0, "\(reset.output)")
            #expect(try await desk.phase() == "ready")
            #expect(try await desk.epoch() == epoch.next)
            withExtendedLifetime((daemon, agent)) {}
        }
    }
}
