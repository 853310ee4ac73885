import BusTesting
import KioskTesting
import Testing

@testable import Display

extension LockScreenTests {
    private static let hasSway = HeadlessCompositor.areInstalled("sway", "swaymsg", "grim", "foot", "wtype")

    private func screen(_ compositor: HeadlessCompositor) async throws -> WaylandScreen {
        let address = try #require(WaylandAddress(environment: compositor.environment))
        return try #require(await WaylandScreen(address))
    }

    private static let size = (width: 1280, height: 800)

    private func window(_ compositor: HeadlessCompositor) throws -> ChildProcess {
        try ChildProcess(
            ["foot", "--config=/dev/null", "--override=colors.background=00ff00", "sh", "-c", "sleep 100"],
            environment: compositor.environment.merging(["DISPLAY": ""]) { $1 })
    }

    /// In green: sway makes the screen red when a program that has locked it is gone.
    private func showsWindow(_ compositor: HeadlessCompositor) async throws -> Bool {
        try await compositor.picture()[0x00ff00] ?? 0 > 10_000
    }

    private func shownWindow() async throws -> (HeadlessCompositor, ChildProcess) {
        let compositor = try await HeadlessCompositor()
        let window = try window(compositor)
        try await eventually { try await showsWindow(compositor) }
        return (compositor, window)
    }

    /// As a program that is killed.
    ///
    /// - Returns: Whether the compositor keeps the lock.
    private func lockAndGo(_ compositor: HeadlessCompositor) async throws -> Bool {
        let screen = try await screen(compositor)
        #expect(await screen.lock(Self.face()))
        return screen.lockLasts
    }

    @Test(.enabled(if: Self.hasSway, "needs sway, grim, foot and wtype"))
    func `a compositor hides its windows, and hands over what is typed and clicked`() async throws {
        let compositor = try await HeadlessCompositor()
        try await compositor.order("output HEADLESS-1 mode --custom \(Self.size.width)x\(Self.size.height)@60Hz")
        let keyboard = try WaylandKeyboard(of: compositor)
        let pointer = try await WaylandPointer(of: compositor, size: Self.size)
        let window = try window(compositor)
        try await eventually { try await showsWindow(compositor) }
        let screen = try await screen(compositor)
        #expect(await screen.lock(Self.face()))
        #expect(Self.isOwn(try await compositor.picture()))
        try await keyboard.press("1", "0", "BackSpace", "ctrl+v", "alt+x", "logo+2", "a")
        try await keyboard.type("B!")
        try await keyboard.press("Return")
        var iterator = screen.lockKeys.makeAsyncIterator()
        for wanted in [
            LockKey.digit(1), .digit(0), .erase, .character("a"), .character("B"), .character("!"), .enter,
        ] { #expect(await iterator.next() == wanted) }
        let layout = LockLayout(screen: Self.size)
        for key in [LockKey.digit(7), .other] {
            let place = try Self.place(of: key, on: layout)
            try await pointer.click(place.x, place.y)
            #expect(await iterator.next() == key)
        }
        // From the lock to the cover of a sign-out there is no frame that shows the window.
        #expect(await screen.cover("Signing out"))
        for _ in 0..<3 { #expect(try await !showsWindow(compositor)) }
        await screen.uncover()
        try await eventually { try await showsWindow(compositor) }
        window.kill()
    }

    @Test(.enabled(if: Self.hasSway, "needs sway, grim, foot and wtype"))
    func `a compositor stays locked when the program is gone, and the next one takes the lock over`() async throws {
        let (compositor, window) = try await shownWindow()
        let lasts = try await lockAndGo(compositor)
        // Else batond ends the turn when the agent is gone.
        guard lasts else { return window.kill() }
        for _ in 0..<5 { #expect(try await !showsWindow(compositor)) }
        let next = try await screen(compositor)
        #expect(await next.lock(Self.face(typed: 2)))
        #expect(Self.isOwn(try await compositor.picture()))
        await next.uncover()
        try await eventually { try await showsWindow(compositor) }
        window.kill()
    }

    @Test(.enabled(if: Self.hasSway, "needs sway, grim, foot and wtype"))
    func `what a program that is gone has left of a lock goes when the next one uncovers`() async throws {
        let (compositor, window) = try await shownWindow()
        let lasts = try await lockAndGo(compositor)
        let next = try await screen(compositor)
        #expect(next.isCoveredBefore == lasts)
        await next.uncover()
        #expect(!next.isCoveredBefore)
        try await eventually { try await showsWindow(compositor) }
        window.kill()
    }

    @Test(.enabled(if: Self.hasSway, "needs sway, grim, foot and wtype"))
    func `a compositor that another program has locked is locked when that one has let go`() async throws {
        let (compositor, window) = try await shownWindow()
        let other = try await screen(compositor)
        #expect(await other.lock(Self.face()))
        let screen = try await screen(compositor)
        // Where a lock is a cover like any other there can be two.
        #expect(await screen.lock(Self.face()) != other.lockLasts)
        for _ in 0..<3 { #expect(try await !showsWindow(compositor)) }
        await other.uncover()
        #expect(await screen.lock(Self.face()))
        for _ in 0..<3 { #expect(try await !showsWindow(compositor)) }
        await screen.uncover()
        try await eventually { try await showsWindow(compositor) }
        window.kill()
    }

    @Test(.enabled(if: Self.hasSway, "needs sway, grim, foot and wtype"))
    func `a lock that is taken back before the compositor has answered leaves nothing locked`() async throws {
        let (compositor, window) = try await shownWindow()
        let screen = try await screen(compositor)
        for _ in 0..<5 {
            async let isLocked = screen.lock(Self.face())
            await screen.uncover()
            _ = await isLocked
            await screen.uncover()
        }
        try await eventually { try await showsWindow(compositor) }
        // And it can be locked again.
        #expect(await screen.lock(Self.face()))
        #expect(try await !showsWindow(compositor))
        window.kill()
    }
}
