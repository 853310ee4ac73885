import BusTesting
import DBus
import Display
import Glibc
import LinuxSystem
import Synchronization
import Testing

@testable import Agent

/// A logind that says what a test lets it say: the real one follows a desktop.
private final class ScriptedLogind: Sendable {
    private static let path: ObjectPath = "/org/freedesktop/login1/session/_37"
    private static let session: InterfaceName = "org.freedesktop.login1.Session"

    private let connection: Connection
    /// CLOCK_MONOTONIC in microseconds; nil: there is input.
    private let idle = Mutex<UInt64?>(nil)

    init(on bus: PrivateBus) async throws {
        connection = try await bus.connect()
        var manager = ServedObject()
        manager.answer(
            Method(
                "org.freedesktop.login1.Manager", "GetSession", takes: Arguments(("session_id", String.self)),
                gives: Arguments(("object_path", ObjectPath.self)))
        ) { _, id in id == "7" ? Self.path : "/" }
        try await connection.serve(manager, at: "/org/freedesktop/login1")
        var object = ServedObject()
        object.property(Property(Self.session, "Id", String.self)) { _ in "7" }
        object.property(Property(Self.session, "IdleHint", Bool.self)) { [self] _ in idle.withLock { $0 != nil } }
        object.property(Property(Self.session, "IdleSinceHintMonotonic", UInt64.self)) { [self] _ in
            idle.withLock { $0 ?? 0 }
        }
        try await connection.serve(object, at: Self.path)
        try await connection.serve(object, at: "/org/freedesktop/login1/session/auto")
        try await connection.own("org.freedesktop.login1")
    }

    func becomeIdle(before: UInt64 = 0) throws {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_nsec / 1000)
        idle.withLock { $0 = now - before }
        try tell(true)
    }

    func becomeActive() throws {
        idle.withLock { $0 = nil }
        try tell(false)
    }

    private func tell(_ isIdle: Bool) throws {
        try connection.emitPropertiesChanged(Self.session, ["IdleHint": .boolean(isIdle)], from: Self.path)
    }

    func leave() async { await connection.close() }
}

@Suite(.timeLimit(.minutes(1))) struct LogindIdleTests {
    private let bus: PrivateBus
    private let logind: ScriptedLogind
    private let idle: LogindIdle

    init() async throws {
        bus = try PrivateBus()
        logind = try await ScriptedLogind(on: bus)
        idle = try #require(await LogindIdle.find(on: try await bus.connect()))
    }

    @Test func `its idleness is told when it has lasted, and its end`() async throws {
        #expect(await idle.idle() == .zero)
        let watch = try #require(idle.watch(after: .milliseconds(500), since: 0))
        var events = watch.events.makeAsyncIterator()
        let before = BootClock.now
        try logind.becomeIdle()
        guard case .idle(let since)? = await events.next() else { throw TestingError("it was not idle") }
        #expect(since >= before && BootClock.now >= since + 500_000)
        #expect(try #require(await idle.idle()) > .milliseconds(400))
        try logind.becomeActive()
        #expect(await events.next() == .active)
        watch.stop()
        #expect(await events.next() == nil)
    }

    @Test func `what the desktop was idle for before it said so counts, and what was before the turn does not`()
        async throws
    {
        try logind.becomeIdle(before: 60_000_000)
        let long = try #require(idle.watch(after: .seconds(30), since: 0))
        var events = long.events.makeAsyncIterator()
        guard case .idle(let since)? = await events.next() else { throw TestingError("it was not idle") }
        #expect(since <= BootClock.now - 60_000_000)
        let start = BootClock.now
        let fresh = try #require(idle.watch(after: .milliseconds(300), since: start))
        var later = fresh.events.makeAsyncIterator()
        #expect(await later.next() == .idle(since: start))
        #expect(BootClock.now >= start + 300_000)
    }

    @Test func `a watch ends with logind`() async throws {
        let watch = try #require(idle.watch(after: .seconds(3600), since: 0))
        var events = watch.events.makeAsyncIterator()
        await logind.leave()
        #expect(await events.next() == nil)
    }

    @Test func `where there is no logind, nothing is found`() async throws {
        let other = try PrivateBus()
        #expect(await LogindIdle.find(on: try await other.connect()) == nil)
    }
}
