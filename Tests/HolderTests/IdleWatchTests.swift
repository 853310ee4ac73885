import BusTesting
import Display
import KioskTesting
import LinuxSystem
import Testing
import Vocabulary

/// With a real display and real input.
@Suite(.asOrdinaryUser, .timeLimit(.minutes(2))) struct IdleWatchTests {
    private func touch(_ arguments: [String], _ environment: [String: String]) async throws {
        let tool = try ChildProcess(arguments, environment: environment)
        #expect(await tool.end().status == 0)
    }

    /// Idle, then active, then idle again.
    func follow(_ watch: IdleWatch, touch: () async throws -> Void) async throws {
        var events = watch.events.makeAsyncIterator()
        let first = await events.next()
        guard case .idle(let since)? = first else { throw TestingError("\(first as Any)") }
        #expect(since > 0)
        try await touch()
        #expect(await events.next() == .active)
        guard case .idle(let later)? = await events.next() else { throw TestingError("it was not idle again") }
        #expect(later > since)
        watch.stop()
        #expect(await events.next() == nil)
    }

    @Test func `an X server's idleness is told, and its end`() async throws {
        let display = try VirtualDisplay()
        let session = await SessionDisplay(environment: ["DISPLAY": display.display])
        #expect(await session.idleSource() == .screenSaver)
        let watch = try #require(session.watchIdle(after: .milliseconds(700), since: 0))
        try await follow(watch) { try await touch(["xdotool", "key", "a"], ["DISPLAY": display.display]) }
    }

    @Test func `what was before the turn does not count`() async throws {
        let display = try VirtualDisplay()
        let session = await SessionDisplay(environment: ["DISPLAY": display.display])
        try await eventually { await session.idle() ?? .zero > .milliseconds(500) }
        let start = BootClock.now
        let watch = try #require(session.watchIdle(after: .milliseconds(400), since: start))
        var events = watch.events.makeAsyncIterator()
        guard case .idle(let since)? = await events.next() else { throw TestingError("it was not idle") }
        #expect(since >= start)
    }

    @Test func `a watch ends with its X server`() async throws {
        let display = try VirtualDisplay()
        let session = await SessionDisplay(environment: ["DISPLAY": display.display])
        let watch = try #require(session.watchIdle(after: .seconds(3600), since: 0))
        var events = watch.events.makeAsyncIterator()
        display.kill()
        #expect(await events.next() == nil)
    }

    @Test func `without a display nothing is told`() async throws {
        let session = await SessionDisplay(environment: [:])
        #expect(await session.idleSource() == .nothing)
        #expect(session.watchIdle(after: .seconds(1), since: 0) == nil)
    }
}

extension IdleWatchTests {
    @Suite(.enabled(if: HeadlessCompositor.areInstalled("sway", "swaymsg", "wtype"), "needs sway and wtype"))
    struct Wayland {
        @Test func `a compositor's idleness is told, and its end`() async throws {
            let compositor = try await HeadlessCompositor()
            let session = await SessionDisplay(environment: compositor.environment)
            #expect([.inputIdleNotify, .idleNotify, .kwinIdle].contains(await session.idleSource()))
            let watch = try #require(session.watchIdle(after: .milliseconds(700), since: 0))
            try await IdleWatchTests().follow(watch) {
                let tool = try compositor.run("wtype", "x")
                #expect(await tool.end().status == 0)
            }
        }
    }
}
