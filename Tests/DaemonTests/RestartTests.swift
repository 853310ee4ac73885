import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting
import Testing

@Suite("A restart of batond", .timeLimit(.minutes(3)))
struct RestartTests {
    /// Nobody who waits is contained before the test is done with them.
    private static let slow = "barrier: {soft: 2s, hard: 14s, containment: 1s, absolute: 20s}\n"

    @Test func `a barrier that was killed goes on with what was said so far`() async throws {
        let terminal = try Terminal(settings: Self.slow)
        var daemon = try await terminal.startDaemon()
        let quick = try await Peer(terminal)
        let late = try await Peer(terminal)
        let first = try await quick.register("org.example.Quick")
        let second = try await late.register("org.example.Late")
        let epoch = try await quick.signIn("ana", pin: "1234")
        var leaving = try await late.signals(Device1.signingOut).makeAsyncIterator()

        let asked = Task { try await late.signOut() }
        let signal = try await next(&leaving)
        #expect(signal.0 == epoch)
        try await quick.acknowledge(epoch, first.instance)
        await daemon.kill()
        // The caller hears that nobody answers any more; the barrier is another matter.
        await #expect(throws: (any Error).self) { try await asked.value }

        daemon = try await terminal.startDaemon()
        let again = try await Self.signal(of: epoch, late, terminal)
        #expect(again == epoch)
        #expect(try await late.call(Device1.getDeviceInformation)["phase"] == .string("clearing"))
        let rows = try await late.call(Participants.list)
        #expect(Self.state("org.example.Quick", rows) == "cleared")
        #expect(Self.state("org.example.Late", rows) == "clearing")
        let joined = Task { try await quick.signOut() }
        // Neither registers again.
        try await late.acknowledge(epoch, second.instance)
        let receipt = try await late.receipt(epoch, or: joined.value)
        #expect(receipt.epoch == epoch)
        #expect(receipt.outcome == .cleared, "\(receipt)")
        #expect(receipt.restarts == 1)
        #expect(receipt.reason == .user)
        #expect(receipt.account?.username == "ana")
        // And what it said before still counts, also when it says it again.
        try await quick.acknowledge(epoch, first.instance)
        #expect(try await late.signIn("bo", pin: "5678") == epoch.next)
        withExtendedLifetime(daemon) {}
    }

    @Test func `SigningOut is sent again at the restart`() async throws {
        let terminal = try Terminal(settings: Self.slow)
        var daemon = try await terminal.startDaemon()
        let app = try await Peer(terminal)
        let registration = try await app.register("org.example.A")
        let epoch = try await app.signIn("ana", pin: "1234")
        var leaving = try await app.signals(Device1.signingOut).makeAsyncIterator()
        let asked = Task { try? await app.signOut() }
        let before = try await next(&leaving)
        await daemon.kill()
        _ = await asked.value
        daemon = try await terminal.startDaemon()
        let again = try await next(&leaving)
        #expect(again.0 == epoch)
        #expect(again.1 == before.1)
        #expect(again.2 == "user")
        #expect(again.3 >= before.3)
        try await app.acknowledge(epoch, registration.instance)
        withExtendedLifetime(daemon) {}
    }

    @Test func `the third restart in one barrier ends it quarantined`() async throws {
        let terminal = try Terminal(settings: Self.slow)
        var daemon = try await terminal.startDaemon()
        // A process of its own: what is silent is stopped in the end.
        let silent = try await terminal.startSilentApp("org.example.Silent")
        let app = try await Peer(terminal)
        let epoch = try await app.signIn("ana", pin: "1234")
        silent.signal(SIGSTOP)
        let asked = Task { try? await app.signOut() }
        _ = try await Self.signal(of: epoch, app, terminal)
        var ended = try await app.signals(Device1.signedOut).makeAsyncIterator()
        for _ in 1...3 {
            await daemon.kill()
            daemon = try await terminal.startDaemon()
        }
        _ = await asked.value
        #expect(try await next(&ended).2 == "quarantined")
        let receipt = try await app.receipt(epoch, or: nil)
        #expect(receipt.restarts == 3)
        #expect(receipt.outcome == .quarantined)
        #expect(receipt.explanation.contains("restarted 3 times"))
        await silent.kill()
        withExtendedLifetime(daemon) {}
    }

    @Test func `a barrier that was asked to stop in the middle goes on at the next start`() async throws {
        let terminal = try Terminal(settings: Self.slow)
        var daemon = try await terminal.startDaemon()
        let app = try await Peer(terminal)
        let registration = try await app.register("org.example.A")
        let epoch = try await app.signIn("ana", pin: "1234")
        let asked = Task { try? await app.signOut() }
        _ = try await Self.signal(of: epoch, app, terminal)
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
        _ = await asked.value
        daemon = try await terminal.startDaemon()
        let joined = Task { try await app.signOut() }
        try await app.acknowledge(epoch, registration.instance)
        let receipt = try await app.receipt(epoch, or: joined.value)
        #expect(receipt.outcome == .cleared, "\(receipt)")
        #expect(receipt.restarts == 1)
        withExtendedLifetime(daemon) {}
    }

    @Test func `who holds the device holds it after a restart`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        var daemon = try await terminal.startDaemon()
        let app = try await Peer(terminal)
        let registration = try await app.register("org.example.A")
        let epoch = try await app.signIn("ana", pin: "1234")
        let before = try await app.call(Device1.getDeviceInformation)
        await daemon.kill()
        daemon = try await terminal.startDaemon()
        let after = try await app.call(Device1.getDeviceInformation)
        for key in ["phase", "epoch", "journal-id", "device-id", "since", "boot-id"] {
            #expect(after[key] == before[key], "\(key)")
        }
        let (now, current, _) = try await app.call(Device1.getCurrentAccount)
        #expect(now == epoch)
        #expect(current["username"] == .string("ana"))
        // The registration is still there: it answers the sign-out.
        let asked = Task { try await app.signOut() }
        _ = try await Self.signal(of: epoch, app, terminal)
        try await app.acknowledge(epoch, registration.instance)
        #expect(try await asked.value?.outcome == .cleared)
        withExtendedLifetime(daemon) {}
    }

    @Test func `apps in Swift and Python need no help`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        var daemon = try await terminal.startDaemon()
        let data = "\(terminal.folder)/data"
        let swift = try terminal.run(["baton-example-handover", data])
        let python = try terminal.run(["\(Terminal.package)/Examples/ward-list.py", data])
        for app in [swift, python] { try await app.line(containing: "ready") }
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        for app in [swift, python] { try await app.line(containing: "Ana Horvat") }
        await daemon.kill()
        daemon = try await terminal.startDaemon()
        for app in [swift, python] { try await app.line(containing: "ready", count: 2) }
        let out = try await terminal.batonctl("sign-out")
        #expect(out.status == 0, "\(out.output)")
        #expect(!terminal.exists("data/handover.txt"))
        #expect(!terminal.exists("data/ward-list.txt"))
        // The next worker is seen too.
        #expect(try await terminal.batonctl("sign-in", "bo", "--pin-stdin", input: "5678").status == 0)
        for app in [swift, python] { try await app.line(containing: "Bo Larsen") }
        for app in [swift, python] { await app.kill() }
        withExtendedLifetime(daemon) {}
    }

    @Test func `it ends with its bus, its agent too, and goes on with the next`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        var daemon = try await terminal.startDaemon()
        let swift = try terminal.run(["baton-example-handover", "\(terminal.folder)/data"])
        try await swift.line(containing: "ready")
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        try await swift.line(containing: "Ana Horvat")
        let children = childrenOf(daemon.pid)
        #expect(!children.isEmpty)
        terminal.bus.kill()
        #expect(await daemon.end() == 69)
        #expect(daemon.output.contains("the bus is gone"))
        for child in children { await waitUntilGone(child) }
        try terminal.bus.restart()
        daemon = try await terminal.startDaemon()
        try await swift.line(containing: "ready", count: 2)
        let out = try await terminal.batonctl("sign-out")
        #expect(out.status == 0, "\(out.output)")
        #expect(!terminal.exists("data/handover.txt"))
        await swift.kill()
        withExtendedLifetime(daemon) {}
    }

    @Test func `an agent that is killed is started again`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let agent = try #require(childrenOf(daemon.pid).first)
        Glibc.kill(agent, SIGKILL)
        try await daemon.line(containing: "the agent has left the bus")
        try await daemon.line(containing: "the agent has registered", count: 2)
        let app = try await Peer(terminal)
        #expect(try await app.call(Device1.getDeviceInformation)["agent"] == .string("present"))
        // A batond that is killed takes its agent along.
        let second = try #require(childrenOf(daemon.pid).first)
        #expect(second != agent)
        await daemon.kill()
        await waitUntilGone(second)
    }

    @Test func `an agent that is killed in a barrier is no failure of the browser`() async throws {
        let terminal = try Terminal(settings: Self.slow)
        let daemon = try await terminal.startDaemon()
        let app = try await Peer(terminal)
        let registration = try await app.register("org.example.A")
        let epoch = try await app.signIn("ana", pin: "1234")
        let agent = try #require(childrenOf(daemon.pid).first)
        // It cannot have answered what the barrier asks of it when it is killed.
        Glibc.kill(agent, SIGSTOP)
        let asked = Task { try await app.signOut() }
        _ = try await Self.signal(of: epoch, app, terminal)
        Glibc.kill(agent, SIGKILL)
        try await daemon.line(containing: "the agent has registered", count: 2)
        try await app.acknowledge(epoch, registration.instance)
        let receipt = try await app.receipt(epoch, or: asked.value)
        #expect(receipt.outcome == .cleared, "\(receipt)")
        #expect(receipt.browser == .none)
    }

    @Test func `an app that was silent over a restart is stopped when its time is over`() async throws {
        // After the restart there is the soft time for batond to start and for its agent, which is another one, to register:
        // without an agent at the hard deadline a barrier ends quarantined.
        let terminal = try Terminal(settings: "barrier: {soft: 5s, hard: 6s, containment: 10s, absolute: 19s}\n")
        var daemon = try await terminal.startDaemon()
        let silent = try await terminal.startSilentApp("org.example.Silent")
        let app = try await Peer(terminal)
        let registration = try await app.register("org.example.A")
        let epoch = try await app.signIn("ana", pin: "1234")
        silent.signal(SIGSTOP)
        let asked = Task { try? await app.signOut() }
        _ = try await Self.signal(of: epoch, app, terminal)
        try await app.acknowledge(epoch, registration.instance)
        await daemon.kill()
        _ = await asked.value
        daemon = try await terminal.startDaemon()
        let receipt = try await app.receipt(epoch, or: app.signOut())
        // Its processes are gone, and nobody knows where its data lies.
        #expect(receipt.outcome == .owed, "\(receipt)")
        #expect(receipt.restarts == 1)
        let outcomes = Dictionary(uniqueKeysWithValues: receipt.participants.map { ($0.app, $0.outcome) })
        #expect(outcomes == ["org.example.A": .cleared, "org.example.Silent": .owed])
        #expect(await silent.end() == 128 + SIGKILL)
        withExtendedLifetime(daemon) {}
    }

    // MARK: Helpers

    private static func state(_ app: String, _ rows: [VariantDictionary]) -> String? {
        rows.first { $0["app"] == .string(app) }?["state"]?.string
    }

    /// Waits until the barrier of an epoch has begun.
    private static func signal(of epoch: Epoch, _ peer: Peer, _ terminal: Terminal) async throws -> Epoch {
        var signals = try await peer.signals(Device1.signingOut).makeAsyncIterator()
        if try await peer.call(Device1.getDeviceInformation)["phase"] == .string("clearing") { return epoch }
        return try await next(&signals).0
    }
}
