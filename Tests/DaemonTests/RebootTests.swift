import Baton
import BusTesting
import DBus
import Logging
import ServiceLifecycle
import SessionMachine
import Synchronization
import SystemPackage
import TerminalTesting
import Testing

@testable import BatondProgram
@testable import Log
@testable import Providers

/// The machine loses its power in a turn. The next boot has another id, another bus and clocks that begin anew, and its agent
/// comes when it comes.
@Suite("A power cut in a turn", .timeLimit(.minutes(3)))
struct RebootTests {
    /// The clocks of the second boot stand still unless they are moved, so that no deadline passes because a machine is slow.
    private final class Clocks: Sendable {
        private let seconds = Mutex<UInt64>(5)

        func move(to time: UInt64) { seconds.withLock { $0 = 5 + time } }

        var clock: Clock {
            Clock { [self] in
                let now = seconds.withLock { $0 } * 1_000_000
                return Moment(monotonic: now, boottime: now, wall: Clock.system.now().wall)
            }
        }
    }

    private struct Boot {
        let group: ServiceGroup
        let running: Task<Void, any Error>

        init(_ terminal: Terminal, _ clock: Clock) {
            var options = DaemonOptions(
                bus: .address(terminal.bus.rawAddress), environment: terminal.environment, clock: clock)
            options.bootID = "00000000-0000-4000-8000-000000000002"
            let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let daemon = Daemon(options, log: quiet, logControl: LogControl(identifier: "batond", level: .info))
            let group = ServiceGroup(services: [daemon], gracefulShutdownSignals: [], logger: quiet)
            self.group = group
            running = Task { try await group.run() }
        }

        func end() async throws {
            await group.triggerGracefulShutdown()
            try await running.value
        }
    }

    /// The agent waits 15 seconds for a display and then goes on without, which its browser cannot; when the display is there,
    /// another agent takes its place.
    @Test(arguments: [0, 8, 17, 30, 90] as [UInt64])
    func `ends in no quarantine that stays, however late the display comes`(seconds: UInt64) async throws {
        let terminal = try Terminal(
            settings: "barrier: {soft: 1500ms, hard: 5s, containment: 5s, absolute: 10s}\nagent: {start: false}\n")
        let first = try await terminal.startDaemon(agent: false)
        var agent = try await FakeAgent(terminal)
        try await first.line(containing: "the agent has registered")
        let epoch = try await Peer(terminal).signIn("ana", pin: "1234")
        await first.kill()
        terminal.bus.kill()
        try terminal.bus.restart()

        let clocks = Clocks()
        let boot = Boot(terminal, clocks.clock)
        let desk = try await Peer(terminal)
        for try await owner in try await desk.connection.owners(of: Device1.busName) where owner != nil { break }
        #expect(try await desk.phase() == "clearing")
        #expect(try await desk.call(Device1.getDeviceInformation)["boot-id"] != .string(""))
        if seconds > 15 {
            clocks.move(to: 15)
            var script = FakeAgent.Script()
            // It looks for its page until it is ended.
            script.logOutTakes = .seconds(600)
            agent = try await FakeAgent(terminal, script)
            #expect(await agent.next("SignOutBrowser")?.epoch == epoch)
            clocks.move(to: seconds)
            await agent.peer.connection.close()
            // It cannot register before batond has heard that the one before it has left.
            for try await owner in try await desk.connection.owners(of: agent.peer.connection.uniqueName)
            where owner == nil { break }
            try await eventually { try await desk.call(Device1.getDeviceInformation)["agent"] == .string("away") }
        } else {
            clocks.move(to: seconds)
        }
        // 17 seconds after the boot the barrier still runs, which began when the first agent came.
        #expect(try await desk.phase() == (seconds > 25 ? "quarantined" : "clearing"))
        agent = try await FakeAgent(terminal)
        try await desk.waitForPhase(.ready)
        let receipt = try #require(try await desk.receipt(epoch))
        #expect(receipt.reason == .recovery && receipt.account?.username == "ana", "\(receipt)")
        #expect(receipt.outcome == (seconds > 25 ? .quarantined : .cleared), "\(receipt)")
        #expect(receipt.release?.by == (seconds > 25 ? .retry : nil), "\(receipt)")
        #expect(try await desk.signIn("bo", pin: "5678") == epoch.next)
        try await boot.end()
        withExtendedLifetime(agent) {}
    }
}
