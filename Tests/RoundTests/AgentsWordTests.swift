import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// What batond makes of what an agent says, with one whose words the test writes.
    @Suite("The agent's word", .timeLimit(.minutes(3)))
    struct AgentsWordTests {
        static let app = "org.example.App"

        private func begin(
            apps: [String: String] = [:]
        ) async throws -> (terminal: Terminal, daemon: Program, agent: FakeAgent, desk: Peer) {
            let terminal = try Terminal(settings: Terminal.patient + "agent: {start: false}\n", apps: apps)
            let daemon = try await terminal.startDaemon(agent: false)
            let agent = try await FakeAgent(terminal)
            try await daemon.line(containing: "the agent has registered")
            return (terminal, daemon, agent, try await Peer(terminal))
        }

        @Test func `shared holders are cleared after the last app, the browser meanwhile`() async throws {
            let (terminal, daemon, agent, desk) = try await begin()
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            #expect(try await desk.phase() == "clearing")
            #expect(!agent.asked.contains("shared"))
            try await app.peer.acknowledge(epoch, registration.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(receipt.browser == .clean)
            // The turn has no user here, so batond cannot prove its end.
            #expect(receipt.shared.map(\.outcome) == [.unchecked, .clean])
            // It may also be asked to close a sign-in page that nobody knows of.
            #expect(agent.asked.filter { $0 != "close" } == ["browser", "shared"])
            withExtendedLifetime(daemon) {}
        }

        @Test(arguments: ["browser", "shared"])
        func `what is left behind quarantines until it is gone`(holder: String) async throws {
            let (terminal, daemon, agent, desk) = try await begin()
            agent.script { if holder == "browser" { $0.browser = "failed" } else { $0.holder = "failed" } }
            try await desk.signIn("ana", pin: "1234")
            let receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .quarantined)
            #expect(!receipt.explanation.isEmpty)
            agent.script { $0 = FakeAgent.Script() }
            let again = try #require(try await desk.signOut())
            #expect(again.release?.by == .retry)
            #expect(try await desk.phase() == "ready")
            withExtendedLifetime((terminal, daemon)) {}
        }

        @Test func `asking again and again does not make the agent try more than once in five seconds`() async throws {
            let (terminal, daemon, agent, desk) = try await begin()
            agent.script { $0.browser = "failed" }
            let epoch = try await desk.signIn("ana", pin: "1234")
            let start = ContinuousClock.now
            for least in [1, 2, 2, 2] {
                let receipt = try #require(try await desk.signOut())
                #expect(receipt.epoch == epoch && receipt.outcome == .quarantined && receipt.release == nil)
                let tries = agent.asked.count { $0 == "browser" }
                // On a slow machine the five seconds may pass meanwhile.
                let most = least + Int(start.duration(to: .now) / Duration.seconds(5))
                #expect((least...most).contains(tries))
            }
            // An agent that registers anew is tried at once.
            await agent.peer.connection.close()
            try await daemon.line(containing: "the agent has left the bus")
            let new = try await FakeAgent(terminal)
            try await desk.waitForPhase(.ready)
            #expect(new.asked.filter { $0 != "close" } == ["browser"])
        }

        @Test func `words that nobody knows are failures`() async throws {
            let (terminal, daemon, agent, desk) = try await begin()
            agent.script { $0.containment = "surely" }
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            try await app.peer.acknowledge(epoch, registration.instance, "failed")
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .quarantined)
            #expect(receipt.participant(Self.app)?.explanation == "the agent's answer cannot be read")
            // Who could not be contained clears itself, and that was all that was missing.
            let new = try await app.peer.register(Self.app, clears: false)
            try await app.peer.acknowledge(epoch, new.instance)
            try await desk.waitForPhase(.ready)
            withExtendedLifetime(daemon) {}
        }

        @Test func `where no agent is required, nobody looked is what the receipt says`() async throws {
            // Time for the app to answer, and little to wait where nobody can contain it.
            let terminal = try Terminal(
                settings: "barrier: {soft: 300ms, hard: 8s, containment: 1s, absolute: 12s}\n"
                    + "agent: {start: false, required: false}\n")
            let daemon = try await terminal.startDaemon(agent: false)
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            try await app.peer.acknowledge(epoch, registration.instance)
            var receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(receipt.browser == .unchecked)
            #expect(receipt.shared.map(\.holder) == ["turn", "session"])
            #expect(receipt.shared.allSatisfy { $0.outcome == .unchecked })
            // Nobody can stop who keeps silent.
            try await desk.signIn("ana", pin: "1234")
            receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .quarantined)
            #expect(receipt.participant(Self.app)?.outcome == .unproven)
            #expect(app.isRunning)
            withExtendedLifetime(daemon) {}
        }

        @Test func `an agent that stays away ends the turn, and its return opens the gate`() async throws {
            let terminal = try Terminal(settings: Terminal.quick + "agent: {start: false}\n")
            let daemon = try await terminal.startDaemon(agent: false)
            let agent = try await FakeAgent(terminal)
            let desk = try await Peer(terminal)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signals = try await desk.signals(Device1.signingOut)
            await agent.peer.connection.close()
            // Ten seconds are allowed for its return.
            for try await signal in signals {
                #expect(signal.values.0 == epoch && signal.values.2 == "agent-lost")
                break
            }
            try await desk.waitForPhase(.quarantined)
            let new = try await FakeAgent(terminal)
            try await desk.waitForPhase(.ready)
            #expect(try await terminal.device().receipt(epoch).release?.by == .retry)
            withExtendedLifetime((daemon, new)) {}
        }

        @Test func `a second agent is refused while the first is there`() async throws {
            let (terminal, daemon, agent, desk) = try await begin()
            #expect(
                try await desk.refusal {
                    _ = try await desk.call(DeviceAgent.register, AgentRegistration(watching: []))
                }
                    == "NotAuthorized")
            await agent.peer.connection.close()
            try await daemon.line(containing: "the agent has left the bus")
            _ = try await FakeAgent(terminal)
            try await daemon.line(containing: "the agent has registered", count: 2)
        }

        @Test func `an app that must prove itself registers with its token alone, and a claim pays no debt of it`()
            async throws
        {
            let (terminal, daemon, agent, desk) = try await begin(apps: [Self.app: "participant: required\n"])
            var app = try await Puppet(terminal)
            #expect(try await app.peer.refusal { try await app.peer.register(Self.app) } == "NotAuthorized")
            let token = try sealedMemory("0123456789abcdef0123456789abcdef")
            let stranger = try await desk.refusal { try await desk.call(DeviceAgent.launched, (Self.app, token)) }
            #expect(stranger == "NotAuthorized")
            try await agent.peer.call(DeviceAgent.launched, (Self.app, token))
            func register(_ peer: Peer, _ token: OwnedDescriptor) async throws -> Instance {
                try await peer.call(Participants.register, (Self.app, 0, ["token": .descriptor(token)])).0
            }
            let wrong = try sealedMemory("fedcba9876543210fedcba9876543210")
            #expect(try await app.peer.refusal { _ = try await register(app.peer, wrong) } == "NotAuthorized")
            _ = try await register(app.peer, token)
            #expect(try await desk.list().map(\.identity) == [.proven])
            // It counts once: for this connection, which may register again, and for no other.
            _ = try await register(app.peer, token)
            let thief = try await Puppet(terminal)
            #expect(try await thief.peer.refusal { _ = try await register(thief.peer, token) } == "NotAuthorized")
            await app.program.kill()
            app = try await Puppet(terminal)
            #expect(try await app.peer.refusal { try await app.peer.register(Self.app) } == "NotAuthorized")
            withExtendedLifetime(daemon) {}
        }

        @Test func `a token counts only from the process that the agent started, and only in a sealed memory file`()
            async throws
        {
            let (terminal, daemon, agent, _) = try await begin(apps: [Self.app: "participant: required\n"])
            let (app, thief) = (try await Puppet(terminal), try await Puppet(terminal))
            agent.script { $0.started = UInt32(app.program.pid) }
            let text = "0123456789abcdef0123456789abcdef"
            let token = try sealedMemory(text)
            try await agent.peer.call(DeviceAgent.launched, (Self.app, token))
            func register(_ peer: Peer, _ token: OwnedDescriptor) async throws {
                _ = try await peer.call(Participants.register, (Self.app, 0, ["token": .descriptor(token)]))
            }
            #expect(try await thief.peer.refusal { try await register(thief.peer, token) } == "NotAuthorized")
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            let reading = OwnedDescriptor(owning: ends[0])
            write(ends[1], text, text.utf8.count)
            close(ends[1])
            #expect(try await app.peer.refusal { try await register(app.peer, reading) } == "InvalidArgument")
            // What was refused to the thief has cost the app nothing.
            try await register(app.peer, token)
            withExtendedLifetime(daemon) {}
        }
    }
}
