import BusTesting
import Glibc
import KioskTesting
import Testing

@testable import Display

/// One screen of an X server on several monitors.
@Suite(.asOrdinaryUser, .timeLimit(.minutes(2))) struct MonitorTests {
    private static let hasTools = ["xdotool", "xrandr"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }
    private static let left = XMonitor(x: 0, y: 0, width: 960, height: 800)
    private static let right = XMonitor(x: 960, y: 0, width: 960, height: 800)
    private static let both = XMonitor(x: 0, y: 0, width: 1920, height: 800)

    /// Two monitors, or one that shows all of the screen. The left one has the server's only output, so that none stays that spans the screen.
    private func split(_ isSplit: Bool, _ display: VirtualDisplay) async throws {
        let places = [("left", "960/240x800/200+0+0", "screen"), ("right", "960/240x800/200+960+0", "none")]
        for (name, place, output) in places {
            let change = isSplit ? ["--setmonitor", name, place, output] : ["--delmonitor", name]
            let tool = try ChildProcess(["xrandr"] + change, environment: ["DISPLAY": display.display])
            let result = await tool.end()
            guard result.status == 0 else { throw TestingError("xrandr: \(result.output)") }
        }
    }

    private static func display() throws -> VirtualDisplay {
        try VirtualDisplay(options: ["-screen", "0", "1920x800x24"])
    }

    @Test func `each part of the screen is one monitor's, and what is of no use is none`() {
        func sensible(_ found: [XMonitor]) -> [XMonitor] { XMonitor.sensible(found, inScreen: (1920, 800)) }
        #expect(sensible([]) == [Self.both])
        #expect(sensible([Self.left, Self.right]) == [Self.left, Self.right])
        // One that shows the same as another, or a part of it.
        #expect(sensible([Self.left, Self.left, Self.right]) == [Self.left, Self.right])
        #expect(sensible([Self.left, Self.both]) == [Self.both])
        #expect(sensible([Self.both, Self.left]) == [Self.both])
        // Panels on them would lie above each other.
        #expect(sensible([Self.left, XMonitor(x: 500, y: 0, width: 960, height: 800)]) == [Self.left])
        // A program of the display can say anything.
        #expect(sensible([XMonitor(x: 5000, y: 0, width: 960, height: 800)]) == [Self.both])
        #expect(sensible([XMonitor(x: 10, y: 10, width: 1, height: 1)]) == [Self.both])
        #expect(sensible([XMonitor(x: -32768, y: -32768, width: 65535, height: 65535)]) == [Self.both])
    }

    @Test(.enabled(if: hasTools, "needs xdotool and xrandr"))
    func `a countdown is on each monitor, and follows them`() async throws {
        let display = try Self.display()
        try await split(true, display)
        let client = try XClient(display.display)
        let (presses, press) = AsyncStream.makeStream(of: Void.self)
        let session = await SessionDisplay(environment: ["DISPLAY": display.display])
        let notice = try #require(session.notice { press.yield() })
        let lines = ["Ana Horvat: sign-out in 20 seconds", "Nothing was touched.", "I am still here"]
        #expect(await notice.show(lines))
        let two = try client.picture()[ScreenNoticeTests.ground, default: 0]
        var pressed = presses.makeAsyncIterator()
        for x in [480, 1440] {
            try await display.click(x, 80)
            #expect(await pressed.next() != nil)
        }
        // While it is shown.
        try await split(false, display)
        try await eventually { try client.picture()[ScreenNoticeTests.ground, default: 0] == two / 2 }
        try await display.click(960, 80)
        #expect(await pressed.next() != nil)
        try await split(true, display)
        try await eventually { try client.picture()[ScreenNoticeTests.ground, default: 0] == two }
        await notice.close()
        try await eventually { try client.picture()[ScreenNoticeTests.ground] == nil }
    }

    @Test(.enabled(if: hasTools, "needs xdotool and xrandr"))
    func `a cover hides all of the screen and can be read on each monitor, and so can a lock be left`() async throws {
        let display = try Self.display()
        let client = try XClient(display.display)
        let screen = try #require(await X11Screen(XAddress(display: display.display)))
        #expect(await screen.cover("Signing out"))
        // Of a line's letters, which are as large on a part of the screen that is as high.
        let white = try client.picture()[0xffffff, default: 0]
        try await split(true, display)
        client.showWindow(x: 900)
        try await eventually {
            let picture = try client.picture()
            return picture[XClient.red] == nil && picture[0xffffff] == 2 * white
        }
        #expect(
            await screen.lock(
                LockFace(
                    name: "Ana Horvat", title: "Locked", hint: "Enter your PIN.", end: "", typed: 0, hasKeys: true,
                    back: "I am back", other: "Somebody else: sign out Ana Horvat")))
        #expect(try client.picture()[XClient.red] == nil)
        let layout = LockLayout(screen: (960, 800))
        let place = (
            x: layout.left + Int(LockLayout.other.middle.x * layout.unit),
            y: layout.top + Int(LockLayout.other.middle.y * layout.unit)
        )
        var keys = screen.lockKeys.makeAsyncIterator()
        for monitor in [Self.left, Self.right] {
            try await display.click(monitor.x + place.x, place.y)
            #expect(await keys.next() == .other)
        }
        await screen.uncover()
    }
}
