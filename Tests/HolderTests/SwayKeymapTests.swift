import BusTesting
import Clearing
import Display
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Testing
import Vocabulary

/// The layout of a keyboard under sway, before a turn and after it.
@Suite(.asOrdinaryUser, .timeLimit(.minutes(2)), .enabled(if: HeadlessCompositor.isInstalled("sway"), "needs sway"))
struct SwayKeymapTests {
    private let server: VirtualDisplay
    private let compositor: HeadlessCompositor
    private let folder: TemporaryFolder

    init() async throws {
        server = try VirtualDisplay()
        compositor = try await HeadlessCompositor(on: server, settings: "input * xkb_layout \"hu,us\"")
        folder = try TemporaryFolder("keymap")
    }

    private var limit: TimeLimit { TimeLimit(.seconds(30)) }

    private func sway() async throws -> SwayIPC {
        let display = await SessionDisplay(environment: compositor.environment)
        return try #require(await display.sway(environment: compositor.environment))
    }

    private func layouts(_ sway: SwayIPC) async throws -> [[String]] {
        try #require(await sway.keyboards(limit: limit)).map(\.layouts)
    }

    @Test func `a worker's layout is theirs in the turn alone, also when the agent is another at its end`() async throws
    {
        let sway = try await sway()
        #expect(try await layouts(sway) == [["Hungarian", "English (US)"]])
        #expect(await sway.run("input type:keyboard xkb_switch_layout 1", limit: limit))
        let keymap = SwayKeymap(sway, folder: folder.path)
        #expect(await !keymap.putBack(limit: limit), "nothing was remembered")
        #expect(await keymap.remember(limit: limit))
        let german = try #require(KeyboardLayout("de(nodeadkeys)"))
        #expect(await keymap.set(german, limit: limit) == nil)
        #expect(try await layouts(sway) == [["German (no dead keys)"]])
        for text in ["xx", "de(xx)"] {
            let other = try #require(KeyboardLayout(text))
            #expect(await keymap.set(other, limit: limit) == "sway does not take it")
            #expect(try await layouts(sway) == [["Hungarian", "English (US)"]], "the device's own stays")
        }
        #expect(await keymap.set(german, limit: limit) == nil)
        let later = SwayKeymap(try await self.sway(), folder: folder.path)
        #expect(await later.putBack(limit: limit))
        let now = try #require(await sway.keyboards(limit: limit))
        #expect(now.map(\.layouts) == [["Hungarian", "English (US)"]] && now.map(\.active) == [1])
    }

    @Test(arguments: [
        "input type:keyboard xkb_layout fr", "input 0:0:X11_keyboard xkb_layout pl",
        "input 0:0:X11_keyboard xkb_switch_layout 1", "input * xkb_file /etc/hostname",
    ]) func `what a worker's program has sway change is put back, too`(command: String) async throws {
        let sway = try await sway()
        let before = try #require(await sway.keyboards(limit: limit))
        let keymap = SwayKeymap(sway, folder: folder.path)
        #expect(await keymap.remember(limit: limit))
        #expect(await keymap.set(try #require(KeyboardLayout("ru")), limit: limit) == nil)
        _ = await sway.run(command, limit: limit)
        #expect(await keymap.putBack(limit: limit))
        #expect(await sway.keyboards(limit: limit) == before)
    }

    @Test func `no keyboard counts as put back if sway is gone or hangs`() async throws {
        let sway = try await sway()
        let keymap = SwayKeymap(sway, folder: folder.path)
        #expect(await keymap.remember(limit: limit))
        compositor.stop()
        #expect(await !keymap.putBack(limit: TimeLimit(.seconds(5))))
        #expect(await keymap.set(try #require(KeyboardLayout("de")), limit: limit) != nil)
    }

    @Test func `the socket of another process is not asked`() async throws {
        let other = try await HeadlessCompositor(on: server, settings: "")
        let display = await SessionDisplay(environment: compositor.environment)
        var environment = compositor.environment
        environment["SWAYSOCK"] = "\(other.path("sway-ipc.\(geteuid()).\(other.processID).sock"))"
        let sway = try #require(await display.sway(environment: environment))
        #expect(try await layouts(sway) == [["Hungarian", "English (US)"]])
        environment["XDG_RUNTIME_DIR"] = folder.path
        #expect(await display.sway(environment: environment) == nil)
    }
}
