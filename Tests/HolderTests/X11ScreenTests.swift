import BusTesting
import Display
import FolderTesting
import Glibc
import KioskTesting
import Testing

@Suite(.asOrdinaryUser, .timeLimit(.minutes(2))) struct X11ScreenTests {
    private func screen(_ display: VirtualDisplay) async throws -> X11Screen {
        try #require(await X11Screen(XAddress(display: display.display)))
    }

    @Test func `covered, the screen shows one line on a dark ground and nothing of any window`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        client.showWindow()
        #expect(try client.picture()[XClient.red] ?? 0 > 0)
        let screen = try await screen(display)
        #expect(await screen.cover("Signing out…"))
        let picture = try client.picture()
        #expect(picture[0xffffff, default: 0] > 0)
        // Greys alone: whatever has a colour is a window's.
        #expect(picture.keys.allSatisfy { $0 & 0xff == $0 >> 8 & 0xff && $0 & 0xff == $0 >> 16 & 0xff })
        #expect(picture[0, default: 0] > 1280 * 800 * 9 / 10)
        #expect(screen.holdsInput)
        await screen.uncover()
        #expect(!screen.holdsInput)
        try await eventually { try client.picture()[XClient.red] ?? 0 > 0 }
    }

    @Test(.enabled(if: access("/usr/bin/xdotool", X_OK) == 0, "needs xdotool"))
    func `the display says how long nobody has touched anything`() async throws {
        let display = try VirtualDisplay()
        let session = await SessionDisplay(environment: ["DISPLAY": display.display])
        // Input brings it back to nothing, and then it grows.
        try await eventually { await session.idle() ?? .zero > .milliseconds(500) }
        try await display.xdotool("key", "a")
        let idle = try #require(await session.idle())
        try await eventually { await session.idle() ?? .zero > idle }
        let nowhere = await SessionDisplay(environment: [:])
        #expect(await nowhere.idle() == nil)
    }

    @Test func `the line changes while covered`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        let screen = try await screen(display)
        #expect(await screen.cover(""))
        #expect(try client.picture()[0xffffff] == nil)
        #expect(await screen.cover("l"))
        let short = try client.picture()[0xffffff] ?? 0
        #expect(await screen.cover("lllll"))
        #expect(try client.picture()[0xffffff] ?? 0 > 4 * short)
        #expect(await screen.cover("l"))
        #expect(try client.picture()[0xffffff] == short)
        // Marks, other scripts, control characters, and far too much of it.
        #expect(await screen.cover("Odjava… čžš ЖЩ 漢字 \u{0}\u{7}\n🙂" + String(repeating: "x", count: 100_000)))
        #expect(try client.picture()[0xffffff] ?? 0 > short)
    }

    @Test func `a window that comes later, or comes up again, does not show`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        let screen = try await screen(display)
        #expect(await screen.cover("Signing out"))
        let window = client.showWindow()
        try await eventually { try client.picture()[XClient.red] == nil }
        client.raise(window)
        try await eventually { try client.picture()[XClient.red] == nil }
        for place in 0..<50 { client.showWindow(isOnTop: place % 2 == 0, x: Int16(place * 10)) }
        try await eventually { try client.picture()[XClient.red] == nil }
        await screen.uncover()
        #expect(try client.picture()[XClient.red] ?? 0 > 0)
    }

    @Test(.enabled(if: access("/usr/bin/xdotool", X_OK) == 0, "needs xdotool"))
    func `keys reach no other window while covered, and do so again afterwards`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        client.showWindow()
        try await display.xdotool("key", "a")
        var before: [UInt8] = []
        try await eventually {
            before += client.keys()
            return !before.isEmpty
        }
        let screen = try await screen(display)
        #expect(await screen.cover("Signing out"))
        try await display.xdotool("key", "b")
        try await display.xdotool("key", "c")
        await screen.uncover()
        try await display.xdotool("key", "a")
        var after: [UInt8] = []
        try await eventually {
            after += client.keys()
            return !after.isEmpty
        }
        #expect(after == before)
    }

    @Test func `another program's hold on the keyboard does not delay the cover, which takes it when it can`()
        async throws
    {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        #expect(client.takeKeyboard())
        let screen = try await screen(display)
        #expect(await screen.cover("Signing out"))
        #expect(!screen.holdsInput)
        client.leaveKeyboard()
        try await eventually { screen.holdsInput }
        #expect(!client.takeKeyboard())
    }

    @Test func `a server that goes away covers nothing any more and ends nothing here`() async throws {
        let display = try VirtualDisplay()
        let screen = try await screen(display)
        #expect(await screen.cover("Signing out"))
        display.kill()
        #expect(await !screen.cover("Signing out"))
        await screen.uncover()
        #expect(await !screen.cover("Signing out"))
        #expect(!screen.holdsInput)
    }

    @Test func `a server that hangs is not waited for`() async throws {
        let display = try VirtualDisplay()
        let screen = try await screen(display)
        display.signal(SIGSTOP)
        #expect(await !screen.cover("Signing out"))
        display.signal(SIGCONT)
        #expect(await screen.cover("Signing out"))
    }

    @Test func `the cover goes with the screen`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        client.showWindow()
        do {
            let screen = try await screen(display)
            #expect(await screen.cover("Signing out"))
            #expect(try client.picture()[XClient.red] == nil)
        }
        try await eventually { try client.picture()[XClient.red] ?? 0 > 0 }
    }

    @Test func `without a display there is no screen`() async throws {
        #expect(await X11Screen(XAddress(display: ":4242")) == nil)
        #expect(await X11Screen(XAddress(display: "nonsense")) == nil)
        let none = await SessionDisplay(environment: [:])
        #expect(none.kind == "" && none.screen == nil)
        #expect(await none.warnings().count == 1)
    }

    @Test func `a server that asks for a cookie is shown that of the named file`() async throws {
        let name = Array("MIT-MAGIC-COOKIE-1".utf8)
        // Any address, any display.
        let entry: [UInt8] = [0xff, 0xff, 0, 0, 0, 0, 0, UInt8(name.count)] + name + [0, 16] + Array(1...16)
        let folder = try TemporaryFolder("cookie")
        let path = try folder.write(entry, to: "authority", mode: 0o600)
        let display = try VirtualDisplay(options: ["-auth", path])
        #expect(await X11Screen(XAddress(display: display.display, authorityFile: "/dev/null")) == nil)
        let environment = ["DISPLAY": display.display, "XAUTHORITY": path]
        let session = await SessionDisplay(environment: environment)
        #expect(session.kind == "x11")
        #expect(await session.warnings() == [])
        #expect(await session.screen?.cover("Signing out") == true)
    }
}
