import BusTesting
import Clearing
import Display
import KioskTesting
import LinuxSystem
import Processes
import Testing
import Vocabulary

@Suite(.asOrdinaryUser, .timeLimit(.minutes(2))) struct ClipboardWaylandTests {
    private static let hasSway = HeadlessCompositor.isInstalled("sway") && HeadlessCompositor.isInstalled("wl-copy")

    private func clear(_ compositor: HeadlessCompositor) async -> HolderReport {
        await holder(compositor).clear(TurnStart(), limit: TimeLimit(.seconds(60)))
    }

    private func holder(_ compositor: HeadlessCompositor) -> ClipboardHolder {
        ClipboardHolder(environment: compositor.environment, launcher: Launcher(), settling: .seconds(1))
    }

    private func isHeld(_ compositor: HeadlessCompositor, _ options: String...) async throws -> Bool {
        let paste = try ChildProcess(
            ["wl-paste", "--list-types"] + options, environment: compositor.environment)
        return await paste.end().status == 0
    }

    @Test(.enabled(if: hasSway, "needs sway and wl-clipboard"))
    func `clipboard and primary selection are empty afterwards`() async throws {
        let compositor = try await HeadlessCompositor()
        #expect(await holder(compositor).warning() == nil)
        let clipboard = try compositor.run("sh", "-c", "printf ana | exec wl-copy --foreground")
        let primary = try compositor.run("sh", "-c", "printf ana | exec wl-copy --foreground --primary")
        try await eventually {
            let both = (try await isHeld(compositor), try await isHeld(compositor, "--primary"))
            return both.0 && both.1
        }
        #expect(await clear(compositor) == HolderReport("clipboard", .clean))
        #expect(try await !isHeld(compositor))
        #expect(try await !isHeld(compositor, "--primary"))
        _ = await (clipboard.end(), primary.end())
    }

    @Test(
        .enabled(
            if: hasSway && HeadlessCompositor.isInstalled("Xwayland"), "needs sway, wl-clipboard and xwayland"))
    func `what an X11 program copied in a Wayland session is gone from both`() async throws {
        let compositor = try await HeadlessCompositor(hasXWayland: true)
        let display = try #require(compositor.environment["DISPLAY"])
        let owner = try ClipboardPuppet.xclip("clipboard", "ana", on: display)
        let client = try XClient(display)
        try await eventually { client.isOwned("CLIPBOARD") }
        let report = await clear(compositor)
        #expect(report.outcome == .clean)
        #expect(!client.isOwned("CLIPBOARD"))
        #expect(try await !isHeld(compositor))
        _ = await owner.end()
    }

    @Test(
        .enabled(
            if: hasSway && HeadlessCompositor.isInstalled("Xwayland"), "needs sway, wl-clipboard and xwayland"))
    func `a program that always takes the clipboard back is a failure`() async throws {
        let compositor = try await HeadlessCompositor(hasXWayland: true)
        let display = try #require(compositor.environment["DISPLAY"])
        let manager = try await ClipboardPuppet.manager(taking: -1, on: display)
        let report = await clear(compositor)
        #expect(report.outcome == .failed)
        #expect(report.explanation.hasPrefix("taken again after each clearing: "))
        #expect(report.explanation.hasSuffix("CLIPBOARD"))
        manager.kill()
    }

    @Test(.enabled(if: HeadlessCompositor.isInstalled("weston"), "needs weston"))
    func `a compositor that lets nobody look is named before the first worker, with what to do`() async throws {
        let compositor = try await HeadlessCompositor(weston: "baton-test")
        let warning = try #require(await holder(compositor).warning())
        #expect(warning.contains("data-control") && warning.contains("X11"))
        let display = await SessionDisplay(environment: compositor.environment)
        #expect(display.kind == "wayland" && display.screen == nil)
        #expect(await display.warnings().contains(warning))
        #expect(await clear(compositor).outcome == .failed)
    }

    @Test(.enabled(if: hasSway, "needs sway and wl-clipboard"))
    func `a compositor that is gone is a failure`() async throws {
        let compositor = try await HeadlessCompositor()
        compositor.stop()
        let report = await clear(compositor)
        #expect(report == HolderReport("clipboard", .failed, "the Wayland compositor does not answer"))
    }
}
