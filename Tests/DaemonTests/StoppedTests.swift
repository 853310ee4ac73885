import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting
import Testing

/// As when a virtual machine or a debugger holds batond: what was said meanwhile lies in its socket when it goes on.
@Suite("batond stopped in a sign-out", .timeLimit(.minutes(3)))
struct StoppedTests {
    private static let app = "org.example.Quick"
    private static let silent = "org.example.Silent"

    @Test func `what was sent before the deadline counts, and silence does too`() async throws {
        let terminal = try Terminal(settings: "barrier: {soft: 1s, hard: 4s, containment: 10s, absolute: 20s}\n")
        let daemon = try await terminal.startDaemon()
        // Two connections of one app: neither may be judged before the other has been heard.
        let (one, other, mute) = (try await Puppet(terminal), try await Puppet(terminal), try await Puppet(terminal))
        let first = try await one.peer.register(Self.app)
        let second = try await other.peer.register(Self.app)
        try await mute.peer.register(Self.silent)
        let desk = try await Peer(terminal)
        let epoch = try await desk.signIn("ana", pin: "1234")
        var leaving = try await desk.signals(Device1.signingOut).makeAsyncIterator()
        let asked = Task { try await desk.signOut() }
        let deadline = try await next(&leaving).3
        daemon.signal(SIGSTOP)
        let words = [
            Task { try await one.peer.acknowledge(epoch, first.instance) },
            Task { try await other.peer.acknowledge(epoch, second.instance) },
        ]
        try await Self.wait(until: deadline + 500_000)
        daemon.signal(SIGCONT)

        let receipt = try #require(try await asked.value)
        for word in words { try await word.value }
        let outcomes = Dictionary(uniqueKeysWithValues: receipt.participants.map { ($0.app, $0.outcome) })
        #expect(outcomes == [Self.app: .cleared, Self.silent: .owed], "\(receipt)")
        #expect(receipt.outcome == .owed, "\(receipt)")
        #expect(one.isRunning && other.isRunning)
        #expect(!mute.isRunning)
    }

    /// Microseconds of CLOCK_MONOTONIC.
    private static func wait(until deadline: UInt64) async throws {
        var now = timespec()
        repeat {
            try await Task.sleep(for: .milliseconds(20))
            clock_gettime(CLOCK_MONOTONIC, &now)
        } while UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec / 1000) < deadline
    }
}
