import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// The journal is lost while a worker holds the device and their app runs.
    @Suite("A turn that the journal has lost", .timeLimit(.minutes(3)))
    struct LostJournalTests {
        private static let app = "org.example.App"

        enum Loss: String, CaseIterable {
            /// The log alone: what is left is an older journal.
            case log = "baton.sqlite-wal"
            case journal = "baton.sqlite"
            /// The epoch file, too: this boot alone remembers.
            case folder
        }

        @Test(arguments: Loss.allCases)
        func `is ended with what the agent has hold of, and quarantined`(loss: Loss) async throws {
            let terminal = try Terminal(settings: Terminal.patient + "agent: {start: false, grace: 60s}\n")
            var daemon = try await terminal.startDaemon(agent: false)
            var agent = try await FakeAgent(terminal)
            try await daemon.line(containing: "the agent has registered")
            let desk = try await Peer(terminal)
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let began = await agent.next("BeginTurn")?.options["began"]
            #expect(try await app.peer.call(Device1.getCurrentAccount).1["username"] == .string("ana"))
            await daemon.kill()
            try Self.lose(loss, on: terminal)

            daemon = try await terminal.startDaemon(agent: false)
            agent = try await FakeAgent(terminal, watching: [registration.instance])
            try await desk.waitForPhase(.quarantined)
            #expect(
                agent.requests("Contain").map { $0.options["instances"]?.uint64s } == [[registration.instance.rawValue]]
            )
            #expect(agent.requests("SignOutBrowser").map(\.epoch) == [epoch])
            #expect(agent.requests("ClearSharedHolders").map { $0.options["began"] } == [began])
            #expect(try await desk.epoch() == epoch)
            #expect(try await desk.refusal { try await desk.signIn("bo", pin: "5678") } == "Quarantined")
            let receipt = try #require(try await desk.receipt(epoch))
            #expect(receipt.outcome == .quarantined && receipt.reason == .recovery, "\(receipt)")
            #expect(receipt.account == nil)
            #expect(receipt.explanation.contains("batonctl reset"), "\(receipt)")

            // Trying again finds out nothing, nor does another start.
            #expect(try await desk.signOut()?.release == nil)
            await daemon.kill()
            daemon = try await terminal.startDaemon(agent: false)
            agent = try await FakeAgent(terminal)
            _ = await agent.next("CloseSignIn")
            #expect(try await desk.phase() == "quarantined")

            // An app that the journal does not know has to clear.
            #expect(try await app.peer.register(Self.app, clears: false).clearThrough == epoch)
            #expect(try await terminal.batonctl("reset").status == 0)
            #expect(try await desk.phase() == "ready")
            #expect(try await desk.signIn("bo", pin: "5678") == epoch.next)
            withExtendedLifetime((daemon, agent)) {}
        }

        @Test func `is over where the journal knows that it ended`() async throws {
            let terminal = try Terminal(settings: Terminal.patient)
            var daemon = try await terminal.startDaemon()
            let desk = try await Peer(terminal)
            let epoch = try await desk.signIn("ana", pin: "1234")
            #expect(try await desk.signOut()?.outcome == .cleared)
            await daemon.kill()
            try Self.lose(.folder, on: terminal)
            daemon = try await terminal.startDaemon()
            #expect(try await desk.phase() == "ready")
            #expect(try await desk.signIn("bo", pin: "5678") == epoch.next)
            withExtendedLifetime(daemon) {}
        }

        private static func lose(_ loss: Loss, on terminal: Terminal) throws {
            let state = "\(terminal.folder)/state/baton"
            switch loss {
            case .folder: #expect(rename(state, state + "-gone") == 0)
            case .log: #expect(unlink("\(state)/\(loss.rawValue)") == 0)
            case .journal: for end in ["", "-wal", "-shm"] { unlink("\(state)/\(loss.rawValue)\(end)") }
            }
        }
    }
}
