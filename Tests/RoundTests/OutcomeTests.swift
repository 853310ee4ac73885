import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// What becomes of apps that die, hang or fail: real processes, real directories, and what batonctl says of it.
    @Suite("How a sign-out ends", .timeLimit(.minutes(1)))
    struct OutcomeTests {
        static let app = "org.example.App"

        /// A terminal that knows where the app keeps its data, with some in it.
        private func listing(_ settings: String = Terminal.quick) throws -> Terminal {
            let terminal = try Terminal(settings: settings)
            try terminal.write(
                "wipe: [\(terminal.folder)/data]\nkeep: [\(terminal.folder)/data/printer.conf]\n",
                to: "config/baton/apps.d/\(Self.app).yaml")
            try terminal.write("Ana's", to: "data/notes.txt")
            try terminal.write("ours", to: "data/printer.conf")
            return terminal
        }

        private func expectWiped(_ terminal: Terminal) {
            #expect(!terminal.exists("data/notes.txt"))
            #expect(terminal.exists("data/printer.conf"))
        }

        private func lastReceipt(_ terminal: Terminal) async throws -> Receipt {
            try #require(try await terminal.device().receipts(newest: 1).first)
        }

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
            let receipt = try await lastReceipt(terminal)
            #expect(receipt.outcome == .owed)
            #expect(receipt.participant(Self.app)?.outcome == "owed")
            #expect(try await desk.list().map(\.state) == ["owed"])
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
            #expect(receipt.participant(Self.app)?.outcome == "owed")
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
            #expect(receipt.participant(Self.app)?.outcome == "cleared")
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
            let participant = try #require(try await lastReceipt(terminal).participant(Self.app))
            #expect(participant.outcome == "owed")
            #expect(participant.proof == "pid")
            #expect(participant.identity == "claimed")
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

        @Test func `a new instance that clears pays for one whose process is gone`() async throws {
            let terminal = try Terminal(settings: Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let desk = try await Peer(terminal)
            var app = try await Puppet(terminal)
            try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            await app.program.kill()
            app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app, clears: false)
            #expect(registration.clearThrough == epoch)
            try await app.peer.acknowledge(epoch, registration.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(try await desk.list().map(\.state) == ["clean"])
            withExtendedLifetime(daemon) {}
        }

        @Test func `a new instance does not pay for one whose process still lives`() async throws {
            let terminal = try Terminal()
            let daemon = try await terminal.startDaemon()
            let (desk, old) = (try await Peer(terminal), try await Puppet(terminal))
            try await old.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            old.leaveBus()
            try await desk.waitForList { $0.map(\.state) == ["gone"] }
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
            #expect(try await desk.list().map(\.state) == ["owed"])
            // Asked after that end, it pays.
            let again = try await new.peer.register(Self.app)
            #expect(again.clearThrough == epoch)
            #expect(try await desk.list().map(\.state) == ["clean"])
            withExtendedLifetime(daemon) {}
        }

        @Test func `a listed app that hangs is stopped and its directories are wiped`() async throws {
            let terminal = try listing()
            let daemon = try await terminal.startDaemon()
            let desk = try await Peer(terminal)
            let app = try terminal.run(
                ["baton-example-handover", "\(terminal.folder)/data", "--app-id", Self.app])
            try await app.line(containing: "ready")
            try await desk.signIn("ana", pin: "1234")
            try await app.line(containing: "Ana Horvat")
            app.signal(SIGSTOP)
            let (status, output) = try await terminal.batonctl("sign-out")
            #expect(status == 3, "\(output)")
            #expect(output.contains(Self.app) && output.contains("contained"))
            #expect(!Puppet.isRunning(app.pid))
            #expect(await app.end() == 128 + SIGKILL)
            expectWiped(terminal)
            #expect(!terminal.exists("data/handover.txt"))
            let receipt = try await lastReceipt(terminal)
            #expect(receipt.outcome == .contained)
            #expect(try await desk.list().isEmpty)
            #expect(try await desk.signIn("bo", pin: "5678") == receipt.epoch + 1)
            withExtendedLifetime(daemon) {}
        }

        @Test func `a listed app that died is wiped without waiting for a deadline`() async throws {
            let terminal = try listing(Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register(Self.app)
            try await desk.signIn("ana", pin: "1234")
            await app.program.kill()
            let receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .contained)
            #expect(receipt.milliseconds < 2000)
            expectWiped(terminal)
            withExtendedLifetime(daemon) {}
        }

        @Test func `what a listed app left running when it died is stopped`() async throws {
            let terminal = try listing(Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal, child: true, leads: true))
            try await app.peer.register(Self.app)
            try await desk.signIn("ana", pin: "1234")
            // Its child holds its output open, so nobody waits for the end of that.
            app.program.signal(SIGKILL)
            let child = try #require(app.child)
            #expect(Puppet.isRunning(child))
            let receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .contained)
            #expect(!Puppet.isRunning(child))
            if Puppet.isRunning(child) { kill(child, SIGKILL) }
            expectWiped(terminal)
            withExtendedLifetime(daemon) {}
        }

        @Test func `an app that says that it failed is contained at once`() async throws {
            let terminal = try listing(Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            // It may be stopped before it hears the answer.
            try? await app.peer.acknowledge(
                epoch, registration.instance, "failed", details: ["why": .string("no disk")])
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .contained)
            #expect(receipt.milliseconds < 8000)
            #expect(receipt.participant(Self.app)?.details == #"{"why":"no disk"}"#)
            #expect(!app.isRunning)
            expectWiped(terminal)
            withExtendedLifetime(daemon) {}
        }

        @Test func `what cannot be contained quarantines, and asking again when it can be opens the gate`() async throws
        {
            let terminal = try listing()
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let agent = try await AgentProcess(of: daemon, on: terminal)
            agent.pause()
            let (status, output) = try await terminal.batonctl("sign-out")
            #expect(status == 5, "\(output)")
            #expect(try await desk.phase() == "quarantined")
            let receipt = try await lastReceipt(terminal)
            #expect(receipt.outcome == .quarantined)
            #expect(receipt.participant(Self.app)?.outcome == "unproven")
            #expect(receipt.explanation.contains(Self.app))
            #expect(receipt.release == nil)
            #expect(app.isRunning)
            #expect(try await desk.refusal { try await desk.signIn("bo", pin: "5678") } == "Quarantined")
            let text = try await terminal.batonctl("status").output
            #expect(text.contains("quarantined"), "\(text)")

            agent.resume()
            let again = try #require(try await desk.signOut())
            #expect(again.epoch == epoch)
            #expect(again.release?.by == "retry")
            #expect(try await desk.phase() == "ready")
            #expect(!app.isRunning)
            expectWiped(terminal)
            #expect(try await desk.signIn("bo", pin: "5678") == epoch + 1)
        }

        @Test func `an administrator ends a quarantine, and is told what was not proven`() async throws {
            let terminal = try listing()
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register(Self.app)
            try await desk.signIn("ana", pin: "1234")
            let agent = try await AgentProcess(of: daemon, on: terminal)
            agent.pause()
            #expect(try await terminal.batonctl("sign-out").status == 5)
            let (status, output) = try await terminal.batonctl("reset")
            #expect(status == 0, "\(output)")
            #expect(output.contains(Self.app), "\(output)")
            #expect(try await desk.phase() == "ready")
            let receipt = try await lastReceipt(terminal)
            #expect(receipt.outcome == .quarantined)
            #expect(receipt.release?.by == "administrator")
            #expect(receipt.release?.explanation.contains(Self.app) == true)
            // What was not proven is owed now.
            #expect(try await desk.list().map(\.state) == ["owed"])
            agent.resume()
            #expect(try await terminal.batonctl("reset").status == 1)
        }

        @Test func `where nothing may stay unproven, a debt quarantines until the app has cleared`() async throws {
            let terminal = try Terminal(
                settings: "barrier: {soft: 300ms, hard: 1s, containment: 1s, absolute: 3s, unproven: quarantine}\n")
            let daemon = try await terminal.startDaemon()
            let desk = try await Peer(terminal)
            var app = try await Puppet(terminal)
            try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            await app.program.kill()
            let receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .quarantined)
            #expect(receipt.participant(Self.app)?.outcome == "unproven")

            app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app, clears: false)
            #expect(registration.phase == "quarantined")
            #expect(registration.clearThrough == epoch)
            try await app.peer.acknowledge(epoch, registration.instance)
            try await desk.waitForPhase(.ready)
            #expect(try await lastReceipt(terminal).release?.by == "retry")
            #expect(try await desk.signIn("bo", pin: "5678") == epoch + 1)
            withExtendedLifetime(daemon) {}
        }

        @Test func `an agent that is killed comes back and contains what waits`() async throws {
            let terminal = try listing(Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let agent = try await AgentProcess(of: daemon, on: terminal)
            let signOut = try await desk.beginSignOut()
            kill(agent.pid, SIGKILL)
            try? await app.peer.acknowledge(epoch, registration.instance, "failed")
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .contained, "\(receipt)")
            #expect(!app.isRunning)
            expectWiped(terminal)
            let second = try await AgentProcess(of: daemon, on: terminal, count: 2)
            #expect(second.pid != agent.pid)
        }
    }
}
