import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting
import Testing

@Suite("With nothing to do", .timeLimit(.minutes(3)))
struct IdleTests {
    @Test func `batond with local accounts never wakes up, also where metrics are read`() async throws {
        let terminal = try Terminal(settings: "")
        let metrics = "\(terminal.folder)/data/baton"
        try terminal.configure(Self.settings + "metrics: {textfile: \(metrics).prom, socket: \(metrics).sock}\n")
        let daemon = try await terminal.startDaemon(agent: false)
        try await eventually { terminal.exists("data/baton.prom") && terminal.exists("data/baton.sock") }
        let curl = try terminal.run([
            "curl", "--silent", "--unix-socket", "\(metrics).sock", "http://localhost/metrics",
        ])
        #expect(await curl.end() == 0 && curl.output.contains("baton_turns_total 0"), "\(curl.output)")
        #expect(await daemon.isQuietAtLast(), "\(daemon.timedSleeps)")
        #expect(daemon.armedTimers.isEmpty, "\(daemon.armedTimers)")
    }

    @Test func `batond and the agent beside it never wake up`() async throws {
        let terminal = try Terminal(settings: "agent: {start: false}\n")
        let daemon = try await terminal.startDaemon(agent: false)
        let agent = try terminal.run(["baton-agent", "--session"])
        try await daemon.line(containing: "the agent has registered")
        let peer = try await Peer(terminal)
        try await peer.signIn("ana", pin: "1234")
        #expect(try await peer.signOut()?.outcome == .cleared)
        #expect(await daemon.isQuietAtLast(), "\(daemon.timedSleeps)")
        #expect(daemon.armedTimers.count <= 1 && daemon.armedTimers.allSatisfy { $0.interval == 0 })
        #expect(await agent.isQuietAtLast(), "\(agent.timedSleeps)")
        #expect(agent.armedTimers.allSatisfy { $0.interval == 0 }, "\(agent.armedTimers)")
        await agent.kill()
    }

    @Test func `a time of day in the settings is one timer, and nothing that rings again and again`() async throws {
        // Far from now, whenever that is.
        var now = time(nil) + 6 * 3600
        var then = tm()
        localtime_r(&now, &then)
        let hour = (then.tm_hour < 10 ? "0" : "") + "\(then.tm_hour)"
        let terminal = try Terminal(settings: Self.settings + "automatic-sign-out: {at: [\"\(hour):30\"]}\n")
        let daemon = try await terminal.startDaemon(agent: false)
        let peer = try await Peer(terminal)
        try await peer.signIn("ana", pin: "1234")
        #expect(await daemon.isQuietAtLast(), "\(daemon.timedSleeps)")
        let timers = daemon.armedTimers
        #expect(timers.count == 1 && timers.allSatisfy { $0.interval == 0 }, "\(timers)")
    }

    @Test func `batond has had enough of timers, pools and threads once all is done`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        let daemon = try await terminal.startDaemon(agent: false)
        let peer = try await Peer(terminal)
        let registration = try await peer.register("org.example.App")
        // The fourth try waits.
        for _ in 1...3 { _ = try await peer.refusal { try await peer.signIn("ana", pin: "0000") } }
        try await peer.signIn("ana", pin: "1234")
        let announced = try await peer.signals(Device1.signingOut)
        async let signedOut = peer.signOut()
        for try await signal in announced {
            try await peer.acknowledge(signal.values.0, registration.instance)
            break
        }
        _ = try await signedOut
        _ = try await peer.call(Device1.listReceipts, 10)
        _ = try await peer.call(Administration.reload)
        daemon.signal(SIGHUP)
        #expect(await daemon.isQuietAtLast(), "\(daemon.timedSleeps)")
        // What a time limit of the round has set rings once and not again; a timer is never taken back.
        #expect(daemon.armedTimers.count <= 1 && daemon.armedTimers.allSatisfy { $0.interval == 0 })
    }

    private static let settings = "agent: {required: false, start: false}\n"
}
