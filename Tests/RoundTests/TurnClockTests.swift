import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// When a turn began is batond's word, and always the same.
    @Suite("The begin of a turn", .timeLimit(.minutes(3)))
    struct TurnClockTests {
        private struct Begin: Equatable {
            var wall: Int64?
            var boottime: UInt64?

            init(_ request: FakeAgent.Request?) {
                wall = request?.options["began"]?.int64
                boottime = request?.options["began-boottime"]?.uint64
            }
        }

        @Test func `is told on both clocks, also after restarts and in a quarantine`() async throws {
            let terminal = try Terminal(settings: Terminal.patient + "agent: {start: false, grace: 60s}\n")
            var daemon = try await terminal.startDaemon(agent: false)
            var agent = try await FakeAgent(terminal)
            try await daemon.line(containing: "the agent has registered")
            let before = (Self.now(CLOCK_REALTIME), Self.now(CLOCK_BOOTTIME))
            try await Peer(terminal).signIn("ana", pin: "1234")
            let after = (Self.now(CLOCK_REALTIME), Self.now(CLOCK_BOOTTIME))
            let told = Begin(await agent.next("BeginTurn"))
            let (wall, boottime) = (try #require(told.wall), try #require(told.boottime))
            #expect((before.0...after.0).contains(UInt64(wall)))
            #expect((before.1...after.1).contains(boottime))

            // Another batond, and another agent.
            await daemon.kill()
            daemon = try await terminal.startDaemon(agent: false)
            agent = try await FakeAgent(terminal)
            #expect(Begin(await agent.next("BeginTurn")) == told)

            agent.script { $0.holder = "failed" }
            let desk = try await Peer(terminal)
            #expect(try await desk.signOut()?.outcome == .quarantined)
            #expect(Begin(agent.requests("ClearSharedHolders").last) == told)

            // Asked again when no turn is open any more.
            await daemon.kill()
            daemon = try await terminal.startDaemon(agent: false)
            agent = try await FakeAgent(terminal)
            #expect(Begin(await agent.next("ClearSharedHolders")) == told)
            try await Peer(terminal).waitForPhase(.ready)
            withExtendedLifetime(daemon) {}
        }

        private static func now(_ clock: clockid_t) -> UInt64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec / 1000)
        }
    }
}
