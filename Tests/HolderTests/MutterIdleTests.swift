import BusTesting
import DBus
import Display
import KioskTesting
import LinuxSystem
import Testing

@testable import Agent

/// With GNOME's own compositor, and input as its remote desktop gives it.
@Suite(
    .asOrdinaryUser, .timeLimit(.minutes(2)),
    .enabled(if: HeadlessCompositor.areInstalled("mutter"), "needs mutter (Debian's mutter)"))
struct MutterIdleTests {
    /// A pointer that a program moves, as from afar.
    private struct Pointer {
        private static let name: BusName = "org.gnome.Mutter.RemoteDesktop"
        private static let session: InterfaceName = "org.gnome.Mutter.RemoteDesktop.Session"
        private let proxy: Proxy

        init(_ connection: Connection) async throws {
            let desktop = Proxy(connection, Self.name, "/org/gnome/Mutter/RemoteDesktop")
            let create = Method(
                "org.gnome.Mutter.RemoteDesktop", "CreateSession", gives: Arguments(("session_path", ObjectPath.self)))
            proxy = Proxy(connection, Self.name, try await desktop.call(create))
            try await proxy.call(Method(Self.session, "Start"))
        }

        func move() async throws {
            let motion = Method(
                Self.session, "NotifyPointerMotionRelative", takes: Arguments(("dx", Double.self), ("dy", Double.self)))
            try await proxy.call(motion, (7, 7))
        }
    }

    private let bus: PrivateBus
    private let compositor: HeadlessCompositor
    private let connection: Connection
    private let idle: MutterIdle

    init() async throws {
        bus = try PrivateBus()
        compositor = try await HeadlessCompositor(mutter: "wayland-mutter", bus: bus.rawAddress)
        connection = try await Connection.open(bus.address)
        idle = try #require(await MutterIdle.find(on: connection))
    }

    @Test func `its idleness is told, and its end`() async throws {
        let pointer = try await Pointer(connection)
        try await pointer.move()
        let watch = try #require(idle.watch(after: .milliseconds(700), since: 0))
        try await IdleWatchTests().follow(watch) { try await pointer.move() }
    }

    @Test func `what was before the turn does not count`() async throws {
        try await Pointer(connection).move()
        try await eventually { await idle.idle() ?? .zero > .milliseconds(500) }
        let start = BootClock.now
        let watch = try #require(idle.watch(after: .milliseconds(400), since: start))
        var events = watch.events.makeAsyncIterator()
        guard case .idle(since: let since)? = await events.next() else { throw TestingError("it was not idle") }
        #expect(since >= start && BootClock.now >= start + 400_000)
    }

    @Test func `a watch ends with the compositor`() async throws {
        let watch = try #require(idle.watch(after: .seconds(3600), since: 0))
        var events = watch.events.makeAsyncIterator()
        compositor.stop()
        #expect(await events.next() == nil)
    }

    @Test func `no other session has one`() async throws {
        let other = try PrivateBus()
        #expect(await MutterIdle.find(on: try await Connection.open(other.address)) == nil)
        #expect(await MutterIdle.find(on: nil) == nil)
    }
}
