import BusTesting
import Display
import Glibc
import KioskTesting
import Testing

@Suite(
    .asOrdinaryUser,
    .enabled(if: HeadlessCompositor.areInstalled("sway", "swaymsg", "grim", "foot"), "needs sway, grim and foot"),
    .timeLimit(.minutes(2)))
struct WaylandScreenTests {
    private static let red: UInt32 = 0xff0000

    private func screen(_ compositor: HeadlessCompositor) async throws -> WaylandScreen {
        let address = try #require(WaylandAddress(environment: compositor.environment))
        return try #require(await WaylandScreen(address))
    }

    /// A red window, which runs a shell command.
    private func window(
        _ compositor: HeadlessCompositor, running command: String = "sleep 100", options: String...
    ) throws -> ChildProcess {
        try ChildProcess(
            ["foot", "--config=/dev/null", "--override=colors.background=ff0000"] + options + ["sh", "-c", command],
            environment: compositor.environment.merging(["DISPLAY": ""]) { $1 })
    }

    private func showsRed(_ compositor: HeadlessCompositor, _ output: String? = nil) async throws -> Bool {
        try await compositor.picture(of: output)[Self.red] ?? 0 > 10_000
    }

    /// Whether there is nothing but greys, mostly black: the letters have soft edges.
    private func isCovered(_ compositor: HeadlessCompositor, _ output: String? = nil) async throws -> Bool {
        let picture = try await compositor.picture(of: output)
        let all = picture.values.reduce(0, +)
        return picture.keys.allSatisfy { $0 & 0xff == $0 >> 8 & 0xff && $0 & 0xff == $0 >> 16 }
            && picture[0, default: 0] > all * 9 / 10
    }

    /// How many pixels have something of the line.
    private func lit(_ compositor: HeadlessCompositor) async throws -> Int {
        try await compositor.picture().filter { $0.key != 0 }.values.reduce(0, +)
    }

    @Test func `covered, the screen shows one line on a dark ground and nothing of any window`() async throws {
        let compositor = try await HeadlessCompositor()
        let window = try window(compositor)
        try await eventually { try await showsRed(compositor) }
        let screen = try await screen(compositor)
        #expect(screen.kind == "wayland")
        #expect(await screen.cover("Signing out…"))
        #expect(try await isCovered(compositor))
        #expect(try await lit(compositor) > 0)
        await screen.uncover()
        #expect(try await showsRed(compositor))
        #expect(await screen.cover("Signing out…"))
        #expect(try await isCovered(compositor))
        window.kill()
    }

    @Test func `the line changes while covered`() async throws {
        let compositor = try await HeadlessCompositor()
        let screen = try await screen(compositor)
        #expect(await screen.cover(""))
        #expect(try await lit(compositor) == 0)
        #expect(await screen.cover("l"))
        let short = try await lit(compositor)
        #expect(short > 0)
        #expect(await screen.cover("llllllllll"))
        #expect(try await lit(compositor) > short)
        #expect(await screen.cover("l"))
        #expect(try await lit(compositor) == short)
        // Marks, other scripts, control characters, and far too much of it.
        #expect(await screen.cover("Odjava… čžš ЖЩ 漢字 \u{0}\u{7}\n🙂" + String(repeating: "x", count: 100_000)))
        #expect(try await lit(compositor) > short)
        #expect(try await isCovered(compositor))
    }

    @Test func `a window that comes later does not show, nor does one that fills the screen`() async throws {
        let compositor = try await HeadlessCompositor()
        let screen = try await screen(compositor)
        #expect(await screen.cover("Signing out"))
        let ready = compositor.path("ready")
        let windows = [
            try window(compositor, running: "echo > \(ready)1; sleep 100"),
            try window(compositor, running: "echo > \(ready)2; sleep 100", options: "--fullscreen"),
        ]
        // Their shells run once they are windows.
        try await eventually { access(ready + "1", F_OK) == 0 && access(ready + "2", F_OK) == 0 }
        for _ in 0..<10 { #expect(try await isCovered(compositor)) }
        await screen.uncover()
        try await eventually { try await showsRed(compositor) }
        #expect(await screen.cover("Signing out"))
        #expect(try await isCovered(compositor))
        for window in windows { window.kill() }
    }

    @Test(.enabled(if: HeadlessCompositor.isInstalled("wtype"), "needs wtype"))
    func `keys reach no window while covered, and do so again afterwards`() async throws {
        let compositor = try await HeadlessCompositor()
        let said = compositor.path("said")
        /// Types a line again and again, until the window has it: it need not have looked at a new keyboard yet.
        func typeUntilHeard(_ text: String) async throws {
            try await eventually {
                #expect(await (try compositor.run("wtype", text, "-k", "Return")).end().status == 0)
                return try compositor.read("said").contains(text)
            }
        }
        // A keyboard that stays: each of the others goes with what it typed.
        let keyboard = try compositor.run("wtype", "-s", "100000", "x")
        let window = try window(
            compositor, running: "echo > \(said); while read -r line; do echo \"$line\" >> \(said); done")
        try await eventually { access(said, F_OK) == 0 }
        try await typeUntilHeard("before")
        let screen = try await screen(compositor)
        #expect(await screen.cover("Signing out"))
        for _ in 0..<10 {
            #expect(await (try compositor.run("wtype", "secret", "-k", "Return")).end().status == 0)
        }
        await screen.uncover()
        try await typeUntilHeard("after")
        #expect(try !compositor.read("said").contains("secret"))
        window.kill()
        keyboard.kill()
    }

    @Test func `an output that comes or changes while covered is covered`() async throws {
        let compositor = try await HeadlessCompositor()
        let screen = try await screen(compositor)
        #expect(await screen.cover("Signing out"))
        try await compositor.order("create_output")
        try await eventually { try await isCovered(compositor, "HEADLESS-2") }
        let window = try window(compositor)
        for change in ["mode --custom 1600x1000@60Hz", "scale 2", "transform 90", "scale 1.5", "position 3000 0"] {
            try await compositor.order("output HEADLESS-2 \(change)")
            try await eventually { try await isCovered(compositor, "HEADLESS-2") }
        }
        #expect(await screen.cover("Still signing out"))
        #expect(try await isCovered(compositor, "HEADLESS-1"))
        #expect(try await isCovered(compositor, "HEADLESS-2"))
        window.kill()
    }

    @Test func `without an output nothing is covered, and the first one that comes is`() async throws {
        let compositor = try await HeadlessCompositor(outputs: 0)
        let screen = try await screen(compositor)
        let start = ContinuousClock.now
        #expect(await !screen.cover("Signing out"))
        #expect(ContinuousClock.now - start < .seconds(30))
        try await compositor.order("create_output")
        try await eventually { (try? await isCovered(compositor)) == true }
        #expect(await screen.cover("Signing out"))
        #expect(try await isCovered(compositor))
    }

    @Test func `a compositor that hangs is not waited for, however often it is asked`() async throws {
        let compositor = try await HeadlessCompositor()
        let window = try window(compositor)
        try await eventually { try await showsRed(compositor) }
        let screen = try await screen(compositor)
        compositor.signal(SIGSTOP)
        let start = ContinuousClock.now
        #expect(await !screen.cover("Signing out"))
        #expect(ContinuousClock.now - start < .seconds(30))
        // All at once: more than would fit into its socket.
        await withDiscardingTaskGroup { group in
            for number in 0..<2000 { group.addTask { #expect(await !screen.cover("Signing out \(number)")) } }
        }
        compositor.signal(SIGCONT)
        #expect(await screen.cover("Signing out"))
        #expect(try await isCovered(compositor))
        await screen.uncover()
        #expect(try await showsRed(compositor))
        window.kill()
    }

    @Test func `a compositor that goes away covers nothing any more and ends nothing here`() async throws {
        let compositor = try await HeadlessCompositor()
        let screen = try await screen(compositor)
        #expect(await screen.cover("Signing out"))
        compositor.stop()
        #expect(await !screen.cover("Signing out"))
        await screen.uncover()
        #expect(await !screen.cover("Signing out"))
    }

    @Test func `the cover goes with the screen`() async throws {
        let compositor = try await HeadlessCompositor()
        let window = try window(compositor)
        try await eventually { try await showsRed(compositor) }
        do {
            let screen = try await screen(compositor)
            #expect(await screen.cover("Signing out"))
            #expect(try await !showsRed(compositor))
        }
        try await eventually { try await showsRed(compositor) }
        window.kill()
    }

    @Test func `a session on sway has a cover and nothing to warn of`() async throws {
        let compositor = try await HeadlessCompositor()
        let session = await SessionDisplay(environment: compositor.environment)
        #expect(session.kind == "wayland")
        #expect(await session.warnings() == [])
        #expect(await session.screen?.cover("Signing out") == true)
    }

    @Test(.enabled(if: HeadlessCompositor.isInstalled("weston"), "needs weston"))
    func `a compositor without the layer shell is named, with what to do`() async throws {
        let compositor = try await HeadlessCompositor(weston: "baton-test")
        let session = await SessionDisplay(environment: compositor.environment)
        #expect(session.kind == "wayland" && session.screen == nil)
        let warnings = await session.warnings()
        #expect(warnings.contains { $0.contains("layer shell") && $0.contains("sway") && $0.contains("X11") })
    }

    @Test func `where no compositor is, there is no screen`() async throws {
        let nowhere = try #require(WaylandAddress(environment: ["WAYLAND_DISPLAY": "/nonexistent/wayland"]))
        #expect(await WaylandScreen(nowhere) == nil)
    }

    /// KWin shows its picture to nobody here: that it took the cover is all that can be seen.
    @Test(.enabled(if: HeadlessCompositor.isInstalled("kwin_wayland"), "needs kwin_wayland (Debian's kwin-wayland)"))
    func `KWin takes the cover, its changes and its end`() async throws {
        let compositor = try await HeadlessCompositor(kwin: "baton-test")
        let address = try #require(WaylandAddress(environment: compositor.environment))
        // Its socket is there before it answers.
        try await eventually { await WaylandScreen(address) != nil }
        let session = await SessionDisplay(environment: compositor.environment)
        #expect(await session.warnings() == [])
        let screen = try #require(session.screen)
        #expect(await screen.cover("Signing out"))
        #expect(await screen.cover("Still signing out"))
        await screen.uncover()
        #expect(await screen.cover("Signing out"))
        compositor.signal(SIGSTOP)
        #expect(await !screen.cover("Still signing out"))
        compositor.signal(SIGCONT)
        #expect(await screen.cover("Signing out"))
        compositor.stop()
        #expect(await !screen.cover("Signing out"))
    }
}
