import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// What becomes of apps of which nobody knows where their data lies, when they die, hang or fail: real processes, and what
    /// batonctl says of it.
    @Suite("How a sign-out ends", .timeLimit(.minutes(3)))
    struct OutcomeTests {
        private static let app = "org.example.App"

        @Test func `an unlisted app that died before the sign-out owes`() async throws {
            let terminal = try Terminal()
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register(Self.app)
            try await desk.signIn("ana", pin: "1234")
            await app.program.kill()
            let (status, output) = try await terminal.batonctl("sign-out")
            #expect(status == 4, "\(output)")
            #expect(output.contains(Self.app) && output.contains("owed"))
            let receipt = try await terminal.lastReceipt()
            #expect(receipt.outcome == .owed)
            #expect(receipt.participant(Self.app)?.outcome == .owed)
            #expect(try await desk.list().map(\.state) == [.owed])
            #expect(try await desk.phase() == "ready")
            withExtendedLifetime(daemon) {}
        }

        @Test func `an unlisted app that dies while clearing owes`() async throws {
            let terminal = try Terminal()
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register(Self.app)
            try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            await app.program.kill()
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .owed)
            #expect(receipt.participant(Self.app)?.outcome == .owed)
            withExtendedLifetime(daemon) {}
        }

        @Test func `an app that dies after its word has cleared`() async throws {
            let terminal = try Terminal(settings: Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            let slow = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            let other = try await slow.peer.register("org.example.Slow")
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            try await app.peer.acknowledge(epoch, registration.instance)
            await app.program.kill()
            try await slow.peer.acknowledge(epoch, other.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(receipt.participant(Self.app)?.outcome == .cleared)
            withExtendedLifetime(daemon) {}
        }

        @Test func `an unlisted app that never answers is stopped with its children, and owes`() async throws {
            let terminal = try Terminal()
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal, child: true))
            try await app.peer.register(Self.app)
            try await desk.signIn("ana", pin: "1234")
            let (status, output) = try await terminal.batonctl("sign-out")
            #expect(status == 4, "\(output)")
            #expect(!app.isRunning)
            #expect(!Puppet.isRunning(try #require(app.child)))
            let participant = try #require(try await terminal.lastReceipt().participant(Self.app))
            #expect(participant.outcome == .owed)
            #expect(participant.proof == .pid)
            #expect(participant.identity == .claimed)
            withExtendedLifetime(daemon) {}
        }

        @Test func `after the soft deadline the status names who is slow`() async throws {
            let terminal = try Terminal(settings: "barrier: {soft: 200ms, hard: 10s, containment: 3s, absolute: 15s}\n")
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            try await desk.waitForList { $0.contains { $0.slow } }
            let status = try await terminal.batonctl("status").output
            #expect(status.contains("waiting for \(Self.app)"), "\(status)")
            try await app.peer.acknowledge(epoch, registration.instance)
            #expect(try await signOut.value?.outcome == .cleared)
            withExtendedLifetime(daemon) {}
        }

        @Test(arguments: [false, true])
        func `a new instance that clears pays for one whose process is gone`(agentIsLate: Bool) async throws {
            // A slow machine needs its time between the kill and the new one's word.
            let terminal = try Terminal(settings: "barrier: {soft: 10s, hard: 12s, containment: 5s, absolute: 20s}\n")
            let daemon = try await terminal.startDaemon()
            let agent = try await AgentProcess(of: daemon, on: terminal)
            let desk = try await Peer(terminal)
            let (app, new) = (try await Puppet(terminal), try await Puppet(terminal))
            try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            // Then it tells of the end only when the new one is there.
            if agentIsLate { agent.pause() }
            await app.program.kill()
            async let registering = new.peer.register(Self.app, clears: false)
            try await desk.waitForList { $0.contains { $0.sender == new.name.rawValue } }
            agent.resume()
            let registration = try await registering
            #expect(registration.clearThrough == epoch)
            try await new.peer.acknowledge(epoch, registration.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(try await desk.list().map(\.state) == [.clean])
            withExtendedLifetime(daemon) {}
        }

        @Test func `a new instance does not pay for one whose process still lives`() async throws {
            // The new one must answer before the old one is stopped.
            let terminal = try Terminal(settings: "barrier: {soft: 300ms, hard: 8s, containment: 5s, absolute: 15s}\n")
            let daemon = try await terminal.startDaemon()
            let (desk, old) = (try await Peer(terminal), try await Puppet(terminal))
            try await old.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            old.leaveBus()
            try await desk.waitForList { $0.map(\.state) == [.gone] }
            let new = try await Puppet(terminal)
            let registration = try await new.peer.register(Self.app)
            let signOut = try await desk.beginSignOut()
            try await new.peer.acknowledge(epoch, registration.instance)
            let receipt = try #require(try await signOut.value)
            // It was stopped after the new one had cleared, and may have written until then.
            #expect(receipt.outcome == .owed)
            #expect(!old.isRunning)
            // It answered in time, so nobody stops it.
            #expect(new.isRunning)
            #expect(try await desk.list().map(\.state) == [.owed])
            // Asked after that end, it pays.
            let again = try await new.peer.register(Self.app)
            #expect(again.clearThrough == epoch)
            #expect(try await desk.list().map(\.state) == [.clean])
            withExtendedLifetime(daemon) {}
        }
    }
}
