import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// A whole state folder is put back from a copy while a worker's app runs, and this boot's note of it is lost as well.
    @Suite("A turn that only its apps remember", .timeLimit(.minutes(3)))
    struct ForgottenTurnTests {
        private static let app = "org.example.App"

        private let terminal: Terminal
        private let state: String

        init() throws {
            terminal = try Terminal(settings: Terminal.patient + "agent: {start: false, grace: 60s}\n")
            state = "\(terminal.folder)/state/baton"
        }

        /// Registers with what the app says of the last turn that it was in.
        private func register(_ peer: Peer, _ app: String = app, turn: String) async throws -> Epoch {
            try await peer.call(Participants.register, (app, 0, ["turn": .string(turn)])).3
        }

        private func turn(_ peer: Peer) async throws -> String {
            try #require(try await peer.call(Device1.getCurrentAccount).1["turn"]?.string)
        }

        private func start(watching: [Instance] = []) async throws -> (Program, FakeAgent) {
            let daemon = try await terminal.startDaemon(agent: false)
            let agent = try await FakeAgent(terminal, watching: watching)
            try await daemon.line(containing: "the agent has registered")
            return (daemon, agent)
        }

        /// As the state folder was before the app came, with nothing beside it that knows better.
        private func putBack() async throws {
            let steps = "rm -rf \(state) && mv \(state)-copy \(state) && rm \(terminal.folder)/run/baton/journal-seen"
            #expect(try await terminal.run(["sh", "-c", steps]).end() == 0)
        }

        /// A state folder from before the app came, and a device that goes on from there.
        private func copyState() async throws -> (Program, FakeAgent) {
            let (daemon, agent) = try await start()
            daemon.signal(SIGTERM)
            #expect(await daemon.end() == 0)
            #expect(try await terminal.run(["cp", "-a", state, state + "-copy"]).end() == 0)
            await agent.peer.connection.close()
            return try await start()
        }

        @Test func `is ended once one of them registers, and quarantined`() async throws {
            var (daemon, agent) = try await copyState()
            let desk = try await Peer(terminal)
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let (turn, began) = (try await turn(app.peer), await agent.next("BeginTurn")?.options["began"])
            await daemon.kill()
            await agent.peer.connection.close()
            try await putBack()

            (daemon, agent) = try await start(watching: [registration.instance])
            #expect(try await desk.phase() == "ready", "nothing else tells")
            #expect(try await desk.epoch() == epoch.previous)
            #expect(try await app.peer.refusal { _ = try await register(app.peer, turn: turn) } == "Failed")
            try await desk.waitForPhase(.clearing)
            #expect(try await desk.refusal { try await desk.signIn("bo", pin: "5678") } == "SigningOut")
            agent = try await FakeAgent(terminal, watching: [registration.instance])
            try await desk.waitForPhase(.quarantined)
            #expect(
                agent.requests("Contain").map { $0.options["instances"]?.uint64s } == [[registration.instance.rawValue]]
            )
            #expect(agent.requests("ClearSharedHolders").map { $0.options["began"] } == [began])
            let receipt = try #require(try await desk.receipt(epoch))
            #expect(receipt.outcome == .quarantined && receipt.reason == .recovery, "\(receipt)")
            #expect(receipt.account == nil && receipt.explanation.contains("older copy"), "\(receipt)")
            #expect(receipt.participant("*gone")?.outcome == .contained, "\(receipt)")

            // It takes part like any other that the journal does not know, and what it shows is known by now.
            #expect(try await register(app.peer, turn: turn) == epoch)
            #expect(try await terminal.batonctl("reset").status == 0)
            #expect(try await desk.phase() == "ready")
            _ = try await register(app.peer, turn: turn)
            #expect(try await desk.phase() == "ready")
            #expect(try await desk.signIn("bo", pin: "5678") == epoch.next)
            withExtendedLifetime((daemon, agent)) {}
        }

        /// A worker has signed in since, whom the journal that was put back took for the next.
        @Test func `ends the turn that began on the older copy as well`() async throws {
            var (daemon, agent) = try await copyState()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register(Self.app)
            try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            let cleared = try await app.peer.register(Self.app)
            #expect(try await signOut.value?.outcome == .cleared)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let turn = try await turn(app.peer)
            await daemon.kill()
            await agent.peer.connection.close()
            try await putBack()
            (daemon, agent) = try await start()
            #expect(try await desk.signIn("bo", pin: "5678") < epoch)
            let waiting = Task { try await desk.call(Device1.signIn, ["username": .string("ana")]) }
            #expect(try await app.peer.refusal { _ = try await register(app.peer, turn: turn) } == "Failed")
            // Nobody waits for what is not done any more.
            await #expect(throws: (any Error).self) { try await waiting.value }
            agent = try await FakeAgent(terminal)
            try await desk.waitForPhase(.quarantined)
            #expect(try await desk.epoch() == epoch)
            #expect(try await desk.call(Device1.getCurrentAccount).1 == [:])
            withExtendedLifetime((daemon, agent, cleared)) {}
        }

        @Test func `is nothing that an app could invent, change or bring from elsewhere`() async throws {
            let (daemon, agent) = try await start()
            let (desk, app) = (try await Peer(terminal), try await Peer(terminal))
            let epoch = try await desk.signIn("ana", pin: "1234")
            let right = try await turn(desk)
            let words = right.split(separator: ".").map(String.init)
            try #require(words.count == 4 && words.first == "\(epoch)")
            let other = try Terminal(settings: Terminal.patient + "agent: {start: false}\n")
            let otherDaemon = try await other.startDaemon(agent: false)
            let otherAgent = try await FakeAgent(other)
            try await otherDaemon.line(containing: "the agent has registered")
            let stranger = try await Peer(other)
            // Its numbers are higher.
            _ = try await stranger.signIn("ana", pin: "1234")
            _ = try await stranger.signOut()
            _ = try await stranger.signIn("ana", pin: "1234")
            let later = "\(epoch.next)"
            for turn in [
                "", "x", "...", later, "\(UInt64.max)", right, "\(right).", "-\(right)",
                ([later] + words.dropFirst()).joined(separator: "."),
                "\(later).1.1.\(String(repeating: "0", count: 64))", "\(later).1.1.", try await self.turn(stranger),
                String(repeating: "9", count: 60_000),
            ] {
                _ = try await register(app, turn: turn)
                #expect(try await desk.phase() == "in-use", "\(turn.prefix(100))")
                #expect(try await desk.epoch() == epoch)
            }
            let asNumber: VariantDictionary = ["turn": epoch.next.variant]
            let refusal = try await app.refusal {
                _ = try await app.call(Participants.register, (Self.app, 0, asNumber))
            }
            #expect(refusal == "InvalidArgument")
            withExtendedLifetime((daemon, agent, otherDaemon, otherAgent)) {}
        }
    }
}
