import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// What becomes of apps whose directories are known, when they die, hang or fail.
    @Suite("How a listed app is contained", .timeLimit(.minutes(3)))
    struct ContainedTests {
        @Test func `a listed app that hangs is stopped and its directories are wiped`() async throws {
            let terminal = try ListedApp.terminal()
            let daemon = try await terminal.startDaemon()
            let desk = try await Peer(terminal)
            let app = try terminal.run(
                ["baton-example-handover", "\(terminal.folder)/data", "--app-id", ListedApp.id])
            try await app.line(containing: "ready")
            try await desk.signIn("ana", pin: "1234")
            try await app.line(containing: "Ana Horvat")
            app.signal(SIGSTOP)
            let (status, output) = try await terminal.batonctl("sign-out")
            #expect(status == 3, "\(output)")
            #expect(output.contains(ListedApp.id) && output.contains("contained"))
            #expect(!Puppet.isRunning(app.pid))
            #expect(await app.end() == 128 + SIGKILL)
            ListedApp.expectWiped(on: terminal)
            #expect(!terminal.exists("data/handover.txt"))
            let receipt = try await terminal.lastReceipt()
            #expect(receipt.outcome == .contained)
            #expect(try await desk.list().isEmpty)
            #expect(try await desk.signIn("bo", pin: "5678") == receipt.epoch.next)
            withExtendedLifetime(daemon) {}
        }

        @Test func `a listed app that died is wiped without waiting for a deadline`() async throws {
            let terminal = try ListedApp.terminal("barrier: {soft: 7s, hard: 12s, containment: 5s, absolute: 20s}\n")
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register(ListedApp.id)
            try await desk.signIn("ana", pin: "1234")
            await app.program.kill()
            let receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .contained)
            #expect(receipt.milliseconds < 7000)
            ListedApp.expectWiped(on: terminal)
            withExtendedLifetime(daemon) {}
        }

        @Test(arguments: [true, false])
        func `a listed app whose file is gone is owed, since nobody knows what to wipe`(runs: Bool) async throws {
            let terminal = try ListedApp.terminal(Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            let registration = try await app.peer.register(ListedApp.id)
            let epoch = try await desk.signIn("ana", pin: "1234")
            unlink("\(terminal.folder)/config/baton/apps.d/\(ListedApp.id).yaml")
            _ = try await desk.call(Administration.reload)
            if !runs { await app.program.kill() }
            let signOut = try await desk.beginSignOut()
            if runs { try? await app.peer.acknowledge(epoch, registration.instance, "failed") }
            let receipt = try #require(try await signOut.value)
            #expect(receipt.participant(ListedApp.id)?.outcome == .owed, "\(receipt)")
            #expect(receipt.outcome == .owed)
            #expect(!app.isRunning)
            #expect(terminal.exists("data/notes.txt"))
            try await desk.signIn("bo", pin: "5678")
            let again = try await Puppet(terminal)
            #expect(try await again.peer.register(ListedApp.id).clearThrough == epoch)
            withExtendedLifetime(daemon) {}
        }

        @Test func `what a listed app left running when it died is stopped`() async throws {
            let terminal = try ListedApp.terminal(Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal, child: true, leads: true))
            try await app.peer.register(ListedApp.id)
            try await desk.signIn("ana", pin: "1234")
            // Its child holds its output open, so nobody waits for the end of that.
            app.program.signal(SIGKILL)
            let child = try #require(app.child)
            #expect(Puppet.isRunning(child))
            let receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .contained)
            #expect(!Puppet.isRunning(child))
            if Puppet.isRunning(child) { kill(child, SIGKILL) }
            ListedApp.expectWiped(on: terminal)
            withExtendedLifetime(daemon) {}
        }

        @Test func `a connection that lives on in a process that was handed it is not gone`() async throws {
            let terminal = try Terminal(settings: Terminal.quick)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal, heir: true))
            let heir = try #require(app.heir)
            defer { kill(heir, SIGKILL) }
            var owners = try await desk.connection.owners(of: app.name).makeAsyncIterator()
            #expect(try await owners.next() == .some(app.name))
            try await app.peer.register("org.example.App")
            try await desk.signIn("ana", pin: "1234")
            let receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .quarantined, "\(receipt)")
            let row = try #require(receipt.participant("org.example.App"))
            #expect(row.outcome == .unproven && row.explanation.contains("still on the bus"), "\(receipt)")
            #expect(!app.isRunning && Puppet.isRunning(heir))
            #expect(try await desk.refusal { try await desk.signIn("bo", pin: "5678") } == "Quarantined")

            kill(heir, SIGKILL)
            while let owner = try await owners.next(), owner != nil {}
            #expect(try await desk.signOut()?.release?.by == .retry)
            #expect(try await desk.phase() == "ready")
            withExtendedLifetime(daemon) {}
        }

        @Test func `an app that says that it failed is contained at once`() async throws {
            let terminal = try ListedApp.terminal(Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            let registration = try await app.peer.register(ListedApp.id)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            // It may be stopped before it hears the answer.
            try? await app.peer.acknowledge(
                epoch, registration.instance, "failed", details: ["why": .string("no disk")])
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .contained)
            #expect(receipt.milliseconds < 14_000)
            #expect(receipt.participant(ListedApp.id)?.details == #"{"why":"no disk"}"#)
            #expect(!app.isRunning)
            ListedApp.expectWiped(on: terminal)
            withExtendedLifetime(daemon) {}
        }

        @Test func `an agent that is killed comes back and contains what waits`() async throws {
            let terminal = try ListedApp.terminal(Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            let registration = try await app.peer.register(ListedApp.id)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let agent = try await AgentProcess(of: daemon, on: terminal)
            let signOut = try await desk.beginSignOut()
            kill(agent.pid, SIGKILL)
            try? await app.peer.acknowledge(epoch, registration.instance, "failed")
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .contained, "\(receipt)")
            #expect(!app.isRunning)
            ListedApp.expectWiped(on: terminal)
            let second = try await AgentProcess(of: daemon, on: terminal, count: 2)
            #expect(second.pid != agent.pid)
        }
    }
}
