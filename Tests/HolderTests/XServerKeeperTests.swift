import BusTesting
import Clearing
import FolderTesting
import KioskTesting
import LinuxSystem
import Processes
import Testing
import Vocabulary

@testable import Display

/// What a worker's programs do to an X server with Xlib, and what is left of it when they have ended.
@Suite(.asOrdinaryUser, .timeLimit(.minutes(2))) struct XServerKeeperTests {
    private let display: VirtualDisplay
    private let keeper: XServerKeeper
    private let keymap: XKeymap
    private let folder: TemporaryFolder

    init() throws {
        display = try VirtualDisplay()
        folder = try TemporaryFolder("keymap")
        keymap = try #require(
            XKeymap(environment: ["DISPLAY": display.display], folder: folder.path, launcher: Launcher()))
        keeper = XServerKeeper(XAddress(display: display.display), ignoring: ["games"])
    }

    private static let preamble = """
        from Xlib import X, Xatom, Xutil, display
        from Xlib.protocol import request
        d = display.Display(); s = d.screen(); root = s.root
        def atom(name): return d.intern_atom(name)
        def window(**more):
            made = root.create_window(0, 0, 600, 400, 0, s.root_depth, override_redirect=1, background_pixel=0xff0000, **more)
            made.map()
            return made
        def users(mode, name):
            address = b"localuser\\0" + name.encode()
            d.display.send_request(request.ChangeHosts(
                display=d.display, defer=1, mode=mode, host_family=5, host=address), False)

        """

    /// Runs a program of the worker's to its end, or until it says that it is done.
    private func work(_ script: String, stays: Bool = false) async throws -> ChildProcess {
        let program = try ChildProcess(
            [
                "/usr/bin/python3", "-c",
                Self.preamble + script + "\nd.sync(); print('done', flush=True)\n" + (stays ? "d.next_event()" : ""),
            ],
            environment: ["DISPLAY": display.display])
        try #require(try program.readLine() == "done")
        if !stays { #expect(await program.end().status == 0) }
        return program
    }

    private func remember() async {
        _ = await keymap.remember(limit: TimeLimit(.seconds(30)))
        await keeper.remember(limit: TimeLimit(.seconds(30)))
    }

    private func restored() async -> XServerKeeper.Result {
        await keeper.restore(limit: TimeLimit(.seconds(30))) { _ = await keymap.putBack(limit: $0) }
    }

    private func restored(programs: Int = 0, changed: [String] = [], managed: Int = 0) -> XServerKeeper.Result {
        .restored(XServerKeeper.Restored(programs: programs, changed: changed, managed: managed))
    }

    private var nothing: XServerKeeper.Result { restored(programs: 0) }

    @Test func `of a turn that changed nothing nothing is said`() async throws {
        await remember()
        let program = try await work("window()", stays: true)
        program.kill()
        _ = await program.end()
        #expect(await restored() == nothing)
    }

    @Test(arguments: ["X.RetainPermanent", "X.RetainTemporary"])
    func `a window that a program has the server keep goes, and with it what it shows`(mode: String) async throws {
        let client = try XClient(display.display)
        await remember()
        _ = try await work("window(); d.set_close_down_mode(\(mode))")
        #expect(try client.picture()[XClient.red] ?? 0 > 0)
        let result = await restored()
        #expect(result == restored(programs: mode.hasSuffix("Permanent") ? 1 : 0, changed: [], managed: 0))
        #expect(try client.picture()[XClient.red] == nil)
        #expect(await restored() == nothing)
    }

    @Test func `a picture without a window goes, too`() async throws {
        await remember()
        _ = try await work("root.create_pixmap(600, 400, s.root_depth); d.set_close_down_mode(X.RetainPermanent)")
        #expect(await restored() == restored(programs: 1, changed: [], managed: 0))
        #expect(await restored() == nothing)
    }

    @Test func `what hides beyond the numbers that are tried is not called gone`() async throws {
        await remember()
        _ = try await work(
            """
            for _ in range(5000): d.display.allocate_resource_id()
            root.create_pixmap(600, 400, s.root_depth); d.set_close_down_mode(X.RetainPermanent)
            """)
        #expect(await restored() == .failed("the X server keeps what 1 program has left: restart it"))
    }

    @Test func `what was kept before the turn, and programs that run, are left alone`() async throws {
        let client = try XClient(display.display)
        _ = try await work("window(); d.set_close_down_mode(X.RetainPermanent)")
        await remember()
        let program = try await work("window()", stays: true)
        #expect(await restored() == nothing)
        #expect(try client.picture()[XClient.red] ?? 0 > 0)
        program.kill()
    }

    @Test func `properties are as before: what is new goes, what was changed or removed is back`() async throws {
        _ = try await work(
            """
            root.change_property(atom("OLD"), Xatom.STRING, 8, b"before")
            root.change_property(atom("GONE"), Xatom.CARDINAL, 32, [1, 2])
            """)
        await remember()
        _ = try await work(
            """
            root.change_property(atom("OLD"), Xatom.STRING, 8, b"Bed 12")
            root.change_property(atom("NEW"), Xatom.STRING, 8, b"Bed 12" * 1000)
            root.delete_property(atom("GONE"))
            """)
        #expect(await restored() == restored(programs: 0, changed: ["3 properties"], managed: 0))
        _ = try await work(
            """
            assert root.get_full_property(atom("OLD"), Xatom.STRING).value == b"before"
            assert root.get_full_property(atom("NEW"), X.AnyPropertyType) is None
            assert list(root.get_full_property(atom("GONE"), Xatom.CARDINAL).value) == [1, 2]
            """)
        #expect(await restored() == nothing)
    }

    @Test func `what a window manager sees to is left to it and counted, but no text`() async throws {
        _ = try await work(
            """
            root.change_property(atom("_NET_SUPPORTED"), Xatom.ATOM, 32, [atom("_NET_ACTIVE_WINDOW"), atom("_NET_DESKTOP_NAMES")])
            """)
        await remember()
        _ = try await work(
            """
            root.change_property(atom("_NET_ACTIVE_WINDOW"), Xatom.WINDOW, 32, [7])
            root.change_property(atom("_NET_DESKTOP_NAMES"), atom("UTF8_STRING"), 8, b"Bed 12")
            """)
        #expect(await restored() == restored(programs: 0, changed: ["1 property"], managed: 1))
        #expect(await restored() == restored(programs: 0, changed: [], managed: 1))
    }

    @Test func `keys, modifiers, buttons and what else a keyboard does are as before`() async throws {
        await remember()
        _ = try await work(
            """
            d.change_keyboard_mapping(38, [(ord("q"), ord("Q"))])
            modifiers = d.get_modifier_mapping(); modifiers[X.ShiftMapIndex] = [38]; d.set_modifier_mapping(modifiers)
            d.set_pointer_mapping(list(reversed(d.get_pointer_mapping())))
            d.change_keyboard_control(bell_percent=0, auto_repeat_mode=X.AutoRepeatModeOff)
            d.change_pointer_control(accel=(20, 1), threshold=1)
            d.set_screen_saver(0, 0, X.DontPreferBlanking, X.DontAllowExposures)
            """)
        let settings = "keyboard, pointer or screen saver"
        #expect(await restored() == restored(programs: 0, changed: ["keymap", settings], managed: 0))
        #expect(await restored() == nothing)
    }

    @Test func `another keymap as a whole is put back`() async throws {
        await remember()
        let tool = try ChildProcess(["setxkbmap", "de"], environment: ["DISPLAY": display.display])
        #expect(await tool.end().status == 0)
        #expect(await restored() == restored(changed: ["1 property", "keymap"]))
        #expect(await restored() == nothing)
    }

    @Test func `a worker's layout is theirs in the turn alone, and one that is not known changes nothing`() async throws
    {
        await remember()
        let german = try #require(KeyboardLayout("de(nodeadkeys)"))
        #expect(await keymap.set(german, limit: TimeLimit(.seconds(30))) == nil)
        #expect(try await query().suffix(2) == ["layout:     de", "variant:    nodeadkeys"])
        for text in ["xx", "de(xx)"] {
            let other = try #require(KeyboardLayout(text))
            #expect(await keymap.set(other, limit: TimeLimit(.seconds(30))) == "the X server does not know it")
        }
        #expect(try await query().suffix(2) == ["layout:     de", "variant:    nodeadkeys"])
        #expect(await keymap.set(try #require(KeyboardLayout("ch")), limit: TimeLimit(.seconds(30))) == nil)
        #expect(try await query().last == "layout:     ch")
        // Also where no key of the core protocol is another.
        let result = await keeper.restore(limit: TimeLimit(.seconds(30)), hasOtherKeys: true) {
            #expect(await keymap.putBack(limit: $0))
        }
        #expect(result == restored(changed: ["1 property", "keymap"]))
        #expect(try await query().last == "layout:     us")
        #expect(await restored() == nothing)
    }

    /// The layout as the server tells other programs.
    private func query() async throws -> [String] {
        let tool = try ChildProcess(["setxkbmap", "-query"], environment: ["DISPLAY": display.display])
        return await tool.end().output.split(separator: "\n").map(String.init)
    }

    @Test func `who may connect is as before, but for those whom the agent lets in`() async throws {
        await remember()
        _ = try await work("users(X.HostInsert, 'nobody'); users(X.HostInsert, 'games')")
        #expect(await restored() == restored(programs: 0, changed: ["who may connect"], managed: 0))
        _ = try await work("d.set_access_control(X.DisableAccess)")
        #expect(await restored() == restored(programs: 0, changed: ["who may connect"], managed: 0))
        #expect(await restored() == nothing)
    }

    @Test func `a keymap that is not put back is said`() async throws {
        await remember()
        _ = try await work("d.change_keyboard_mapping(38, [(ord('q'), ord('Q'))])")
        let result = await keeper.restore(limit: TimeLimit(.seconds(30))) { _ in }
        #expect(result == .restored(XServerKeeper.Restored(changed: ["keymap"], hasOtherKeys: true)))
    }

    @Test func `nothing is known without a look before the turn, or when it is forgotten`() async throws {
        #expect(await restored() == .unknown)
        await remember()
        keeper.forget()
        #expect(await restored() == .unknown)
    }

    @Test func `a server that is gone is a failure`() async throws {
        await remember()
        display.kill()
        #expect(await restored() == .failed("the X server does not answer"))
    }
}
