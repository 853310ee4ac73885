import BusTesting
import Clearing
import Glibc
import KioskTesting
import LinuxSystem
import Processes
import Testing
import Vocabulary

@Suite(.asOrdinaryUser, .timeLimit(.minutes(2))) struct ClipboardX11Tests {
    /// What a program does after a loss, a busy machine may do late.
    private func holder(_ display: VirtualDisplay) -> ClipboardHolder {
        ClipboardHolder(environment: ["DISPLAY": display.display], launcher: Launcher(), settling: .seconds(1))
    }

    private func clear(_ display: VirtualDisplay, _ limit: Duration = .seconds(60)) async -> HolderReport {
        await holder(display).clear(TurnStart(), limit: TimeLimit(limit))
    }

    @Test func `all selections and cut buffers are empty afterwards, and their owners cannot be asked any more`()
        async throws
    {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        let owners = try [
            ClipboardPuppet.xclip("clipboard", "ana's", on: display.display),
            ClipboardPuppet.xsel("--primary", "ana's", on: display.display),
            ClipboardPuppet.xsel("--secondary", "ana's", on: display.display),
        ]
        client.fillCutBuffer(0, "ana's")
        client.fillCutBuffer(7, "ana's")
        let names = ["CLIPBOARD", "PRIMARY", "SECONDARY"]
        try await eventually { names.allSatisfy { client.isOwned($0) } }
        let report = await clear(display)
        #expect(report == HolderReport("clipboard", .clean))
        for name in names { #expect(!client.isOwned(name)) }
        #expect(!client.hasCutBuffer(0) && !client.hasCutBuffer(7))
        let paste = try ChildProcess(
            ["xclip", "-o", "-selection", "clipboard"], environment: ["DISPLAY": display.display])
        let (output, status) = await paste.end()
        #expect(status != 0 && !output.contains("ana's"))
        // xclip and xsel end when they lose what they held.
        for owner in owners { _ = await owner.end() }
    }

    @Test func `what nobody holds is clean`() async throws {
        let display = try VirtualDisplay()
        #expect(await clear(display) == HolderReport("clipboard", .clean))
        #expect(await holder(display).warning() == nil)
    }

    @Test func `a program that takes the clipboard back once loses it again`() async throws {
        let display = try VirtualDisplay()
        let manager = try await ClipboardPuppet.manager(taking: 3, on: display.display)
        #expect(await clear(display) == HolderReport("clipboard", .clean))
        #expect(try !XClient(display.display).isOwned("CLIPBOARD"))
        manager.kill()
    }

    @Test func `a program that always takes the clipboard back is a failure that names the selection`() async throws {
        let display = try VirtualDisplay()
        let manager = try await ClipboardPuppet.manager(taking: -1, on: display.display)
        let report = await clear(display)
        #expect(report.outcome == .failed)
        #expect(report.explanation == "taken again after each clearing: CLIPBOARD")
        manager.kill()
    }

    @Test func `a clipboard manager is warned about, and named in the report`() async throws {
        let display = try VirtualDisplay()
        let manager = try await ClipboardPuppet.manager(taking: 1, isKnown: true, on: display.display)
        #expect(await holder(display).warning()?.contains("clipboard manager") == true)
        let report = await clear(display)
        #expect(report.outcome == .clean)
        #expect(report.explanation.contains("clipboard manager"))
        manager.kill()
    }

    @Test func `a server that is not there is a failure`() async throws {
        // Not that of a server which was killed: the next one takes its number.
        let holder = ClipboardHolder(environment: ["DISPLAY": ":4242"], launcher: Launcher())
        let report = await holder.clear(TurnStart(), limit: TimeLimit(.seconds(20)))
        #expect(report == HolderReport("clipboard", .failed, "the X server does not answer"))
        #expect(await holder.warning() != nil)
    }

    @Test func `a server that hangs is a failure at the limit`() async throws {
        let display = try VirtualDisplay()
        display.signal(SIGSTOP)
        let report = await clear(display, .milliseconds(300))
        #expect(report.outcome == .failed)
        display.signal(SIGCONT)
    }

    @Test func `without a display there is nothing to check, and that is said`() async {
        let holder = ClipboardHolder(environment: [:], launcher: Launcher())
        let report = await holder.clear(TurnStart(), limit: TimeLimit(.seconds(5)))
        #expect(report == HolderReport("clipboard", .unchecked, "the session has no display"))
        #expect(await holder.warning() != nil)
    }
}
