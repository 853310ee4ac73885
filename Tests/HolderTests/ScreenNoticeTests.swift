import BusTesting
import KioskTesting
import LinuxSystem
import Testing
import Vocabulary

@testable import Display

/// The panel of the countdown, on real displays.
@Suite(.asOrdinaryUser, .timeLimit(.minutes(2))) struct ScreenNoticeTests {
    private let presses: AsyncStream<Void>
    private let press: AsyncStream<Void>.Continuation
    private let lines = ["Ana Horvat: sign-out in 20 seconds", "Nothing was touched.", "I am still here"]
    /// Of its frame and button, as red, green and blue.
    static let accent: UInt32 = 0xffc733

    /// Of panel and bar.
    static let ground: UInt32 = 0x111721

    init() { (presses, press) = AsyncStream.makeStream(of: Void.self) }

    private func notice(on environment: [String: String]) async throws -> ScreenNotice {
        let display = await SessionDisplay(environment: environment)
        guard let notice = display.notice(pressed: { [press] in press.yield() }) else {
            throw TestingError("there can be no notice")
        }
        return notice
    }

    @Test func `a session without a display has none`() async {
        #expect(await SessionDisplay(environment: [:]).notice {} == nil)
    }

    @Test func `on X11 it stays above full-screen windows, hears a click, and leaves them the keys`() async throws {
        let display = try VirtualDisplay()
        let environment = ["DISPLAY": display.display]
        let notice = try await notice(on: environment)
        #expect(await notice.show(lines))
        let window = try ChildProcess(
            ["xev", "-geometry", "1280x800+0+0", "-event", "keyboard"], environment: environment)
        // Its own window is mapped, and above.
        try await eventually {
            let search = try? ChildProcess(
                ["xdotool", "search", "--onlyvisible", "--name", "Event Tester"], environment: environment)
            return await search?.end().status == 0
        }
        // Below the panel, so that the keys go to the window there.
        try await display.xdotool("mousemove", "640", "600", "key", "a")
        while let line = await window.nextLine(), !line.contains("KeyPress") {}
        try await display.click(640, 80)
        var pressed = presses.makeAsyncIterator()
        #expect(await pressed.next() != nil)
        #expect(await notice.show(["19 seconds", "I am still here"]))
        await notice.close()
        try await display.click(640, 80)
        // A click that it heard would come before this.
        press.finish()
        #expect(await pressed.next() == nil)
        withExtendedLifetime((display, window)) {}
    }

    @Test func `a panel counts by itself`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        let notice = try await notice(on: ["DISPLAY": display.display])
        let name = "{seconds}\nAna"
        let lines = CountedLines(
            end: BootClock.now + 60_000_000, before: "\(name): sign-out in ", after: " s", more: ["I am still here"])
        #expect(lines.text(7) == "{seconds} Ana: sign-out in 7 s\nI am still here")
        #expect(await notice.show(lines))
        for _ in 1...2 {
            let last = try client.picture()
            try await eventually { try client.picture() != last }
        }
        await notice.close()
        try await eventually { try client.picture()[Self.ground] == nil }
    }

    @Test func `a count changes with each whole second and sleeps in between, also over a time that is past`() {
        var count = PanelCount()
        #expect(count.pause() == -1 && count.next() == nil)
        let end = BootClock.now + 9_500_000
        let lines = CountedLines(end: end, before: "", after: " s", more: [])
        #expect(count.begin(lines) == .lines("10 s"))
        #expect(count.next(at: end - 9_000_001) == nil)
        #expect(count.pause(at: end - 9_000_001) == 1 && count.pause(at: end - 9_999_999) == 1000)
        #expect(count.next(at: end - 9_000_000) == .lines("9 s"))
        // A machine that has slept.
        #expect(count.next(at: end + 60_000_000) == .lines("0 s"))
        #expect(count.next(at: end + 61_000_000) == nil && count.pause(at: end + 61_000_000) == -1)
        #expect(
            count.begin(CountedLines(end: 1, before: "", after: "", more: [])) == .lines("0") && count.pause() == -1)
        #expect(CountedLines.secondsLeft(until: .max, at: 0) == Int(UInt64.max / 1_000_000) + 1)
    }

    @Test func `a bar lies in its corner, is not covered for long, and tells its buttons apart`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        let (presses, press) = AsyncStream<BarPress>.makeStream()
        let session = await SessionDisplay(environment: ["DISPLAY": display.display])
        #expect(session.bar(.off) { _ in } == nil)
        let bar = try #require(session.bar(.bottomRight) { press.yield($0) })
        var pressed = presses.makeAsyncIterator()
        #expect(await bar.show(["Ana\r\nHorvat\n", "Sign out"]))
        // A program that puts itself above it, again and again, loses it each time.
        let window = client.showWindow(x: 1080, y: 700)
        for _ in 1...3 {
            client.raise(window)
            try await eventually { try client.picture()[XClient.red] ?? 0 < 200 * 60 }
        }
        // The name, which is no button.
        try await display.click(900, 774)
        try await display.click(1200, 774)
        #expect(await pressed.next() == .ask)
        #expect(await bar.show(["Ana Horvat", "Cancel", "Sign out"]))
        try await display.click(1200, 774)
        #expect(await pressed.next() == .cancel)
        try await display.click(1060, 774)
        #expect(await pressed.next() == .signOut)
        await bar.close()
        try await eventually { try client.picture()[Self.ground] == nil }
    }

    @Test func `one whose server has gone is not shown`() async throws {
        let display = try VirtualDisplay()
        let notice = try await notice(on: ["DISPLAY": display.display])
        #expect(await notice.show(lines))
        display.kill()
        try await eventually { await notice.show(["gone", "I am still here"]) == false }
        await notice.close()
    }
}

extension ScreenNoticeTests {
    @Suite(.enabled(if: HeadlessCompositor.areInstalled("sway", "swaymsg", "grim"), "needs sway and grim"))
    struct Wayland {
        @Test func `on Wayland it is on every output, above a full-screen window`() async throws {
            let (compositor, pointer) = try await Self.screensWithPointer()
            let display = await SessionDisplay(environment: compositor.environment)
            let (presses, press) = AsyncStream.makeStream(of: Void.self)
            let notice = try #require(display.notice { press.yield() })
            let window = try compositor.run("foot", "--fullscreen", "sleep", "600")
            try await eventually { try await compositor.windows().count == 1 }
            #expect(
                await notice.show(["Ana Horvat: sign-out in 20 seconds", "Nothing was touched.", "I am still here"]))
            for output in ["HEADLESS-1", "HEADLESS-2"] {
                try await eventually {
                    try await compositor.picture(of: output)[ScreenNoticeTests.accent] ?? 0 > 10_000
                }
            }
            try await pointer.click(640, 80)
            var pressed = presses.makeAsyncIterator()
            #expect(await pressed.next() != nil)
            await notice.close()
            try await eventually { try await compositor.picture()[ScreenNoticeTests.accent] == nil }
            withExtendedLifetime(window) {}
        }

        @Test func `a bar on Wayland lies in its corner of every output, above a full-screen window`() async throws {
            let (compositor, pointer) = try await Self.screensWithPointer()
            let session = await SessionDisplay(environment: compositor.environment)
            let (presses, press) = AsyncStream<BarPress>.makeStream()
            let bar = try #require(session.bar(.bottomLeft) { press.yield($0) })
            let window = try compositor.run("foot", "--fullscreen", "sleep", "600")
            try await eventually { try await compositor.windows().count == 1 }
            #expect(await bar.show(["Ana Horvat", "Cancel", "Sign out"]))
            for output in ["HEADLESS-1", "HEADLESS-2"] {
                try await eventually {
                    try await compositor.picture(of: output)[ScreenNoticeTests.accent] ?? 0 > 2_000
                }
            }
            try await pointer.click(208, 774)
            var pressed = presses.makeAsyncIterator()
            #expect(await pressed.next() == .signOut)
            await bar.close()
            try await eventually { try await compositor.picture()[ScreenNoticeTests.accent] == nil }
            withExtendedLifetime(window) {}
        }

        /// Two screens beside each other, and a pointer that is there before what it is to click: a program that has just been told
        /// of a pointer misses its first click.
        private static func screensWithPointer() async throws -> (HeadlessCompositor, WaylandPointer) {
            let compositor = try await HeadlessCompositor(outputs: 2)
            try await compositor.order("output HEADLESS-1 mode --custom 1280x800@60Hz position 0 0")
            try await compositor.order("output HEADLESS-2 mode --custom 1280x800@60Hz position 1280 0")
            return (compositor, try await WaylandPointer(of: compositor, size: (2560, 800)))
        }
    }
}
