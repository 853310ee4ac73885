import Baton
import BusTesting
import DBus
import FolderTesting
import Glibc
import TerminalTesting
import Testing

@Suite("A journal that is lost, damaged or full", .timeLimit(.minutes(3)))
struct JournalLossTests {
    private static let journal = "state/baton/baton.sqlite"

    private func journal(_ terminal: Terminal) throws -> [UInt8] {
        try #require(bytes(in: "\(terminal.folder)/\(Self.journal)"))
    }

    /// What status shows, asked by somebody who takes no part.
    private func information(_ terminal: Terminal) async throws -> DeviceInformation {
        try await terminal.device().deviceInformation()
    }

    @Test func `one that cannot be read is quarantined until an administrator resets it`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        var daemon = try await terminal.startDaemon()
        let app = try terminal.run(["baton-example-handover", "\(terminal.folder)/data"])
        try await app.line(containing: "ready")
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        try await app.line(containing: "Ana Horvat")
        let before = try await information(terminal)
        await daemon.kill()
        for suffix in ["-wal", "-shm"] { unlink("\(terminal.folder)/\(Self.journal)\(suffix)") }
        try terminal.write("garbage, but of somebody", to: Self.journal)
        let garbage = try journal(terminal)

        daemon = try await terminal.startDaemon()
        var now = try await information(terminal)
        #expect(now.phase == .quarantined)
        #expect(now.explanation.contains("baton.sqlite"))
        #expect(now.explanation.contains("batonctl reset"))
        #expect(now.deviceID == before.deviceID)
        let status = try await terminal.batonctl("status")
        #expect(status.status == 0, "\(status.output)")
        #expect(status.output.contains("batonctl reset"))
        let peer = try await Peer(terminal)
        #expect(try await peer.refusal { try await peer.signIn("ana", pin: "1234") } == "Quarantined")
        // Who was signed in stands in what nobody can read: a success would say that they have left.
        #expect(try await peer.refusal { _ = try await peer.signOut() } == "Quarantined")
        #expect(try await peer.refusal { _ = try await peer.signOut() } == "Quarantined")
        #expect(try await information(terminal).phase == .quarantined)
        #expect(try journal(terminal) == garbage)

        let reset = try await terminal.batonctl("reset")
        #expect(reset.status == 0, "\(reset.output)")
        try await daemon.line(containing: "moved aside")
        try await daemon.line(containing: "the agent has registered", count: 2)
        try await app.line(containing: "cleared", count: 2)
        now = try await information(terminal)
        #expect(now.phase == .ready)
        // The turn that nobody could read of was ended first.
        #expect(now.epoch == before.epoch)
        #expect(reset.output.contains("unchecked"), "\(reset.output)")
        #expect(now.journalID != before.journalID && now.journalID.count == 32)
        #expect(now.deviceID == before.deviceID)
        #expect(!terminal.exists("data/handover.txt"))
        // Once more there is nothing to reset, and nothing is moved.
        let again = try await terminal.batonctl("reset")
        #expect(again.status == 1)
        #expect(try await terminal.batonctl("sign-in", "bo", "--pin-stdin", input: "5678").status == 0)
        #expect(try await terminal.batonctl("reset").status == 1)
        #expect(try await information(terminal).journalID == now.journalID)
        #expect(try await information(terminal).phase == .inUse)
        try await app.line(containing: "Bo Larsen")
        #expect(try await terminal.batonctl("sign-out").status == 0)
        await app.kill()
        withExtendedLifetime(daemon) {}
    }

    @Test func `a state folder that is deleted in a turn makes every app clear, and quarantines`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        var daemon = try await terminal.startDaemon()
        let app = try terminal.run(["baton-example-handover", "\(terminal.folder)/data"])
        try await app.line(containing: "ready")
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        try await app.line(containing: "Ana Horvat")
        let before = try await information(terminal)
        await daemon.kill()
        rename("\(terminal.folder)/state/baton", "\(terminal.folder)/state/gone")
        daemon = try await terminal.startDaemon()
        try await app.line(containing: "cleared", count: 2)
        try await Peer(terminal).waitForPhase(.quarantined)
        let now = try await information(terminal)
        #expect(now.epoch == before.epoch)
        #expect(now.journalID != before.journalID)
        #expect(now.explanation.contains("batonctl reset"), "\(now)")
        #expect(!terminal.exists("data/handover.txt"))
        #expect(try await terminal.batonctl("reset").status == 0)
        #expect(try await terminal.batonctl("sign-in", "bo", "--pin-stdin", input: "5678").status == 0)
        await app.kill()
        withExtendedLifetime(daemon) {}
    }

    @Test func `an older copy that is put back in a turn makes every app clear, quarantines, and counts on`()
        async throws
    {
        let terminal = try Terminal(settings: Terminal.patient)
        var daemon = try await terminal.startDaemon()
        let app = try terminal.run(["baton-example-handover", "\(terminal.folder)/data"])
        try await app.line(containing: "ready")
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
        let copy = try journal(terminal)
        daemon = try await terminal.startDaemon()
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        try await app.line(containing: "Ana Horvat")
        let before = try await information(terminal)
        await daemon.kill()
        for suffix in ["-wal", "-shm"] { unlink("\(terminal.folder)/\(Self.journal)\(suffix)") }
        try terminal.write(copy, to: Self.journal)

        daemon = try await terminal.startDaemon()
        try await daemon.line(containing: "an older copy was put back")
        try await app.line(containing: "cleared", count: 2)
        try await Peer(terminal).waitForPhase(.quarantined)
        let now = try await information(terminal)
        #expect(now.epoch == before.epoch)
        #expect(now.journalID != before.journalID)
        #expect(!terminal.exists("data/handover.txt"))
        #expect(try await terminal.batonctl("sign-in", "bo", "--pin-stdin", input: "5678").status != 0)
        #expect(try await terminal.batonctl("reset").status == 0)
        #expect(try await terminal.batonctl("sign-in", "bo", "--pin-stdin", input: "5678").status == 0)
        #expect(try await information(terminal).epoch == before.epoch.next)
        await app.kill()
        withExtendedLifetime(daemon) {}
    }

    @Test func `a whole state folder that is put back in a turn is noticed by an app that was in it`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let state = "\(terminal.folder)/state/baton"
        var daemon = try await terminal.startDaemon()
        let app = try terminal.run(["baton-example-handover", "\(terminal.folder)/data"])
        try await app.line(containing: "ready")
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
        #expect(try await terminal.run(["cp", "-a", state, state + "-copy"]).end() == 0)
        daemon = try await terminal.startDaemon()
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        try await app.line(containing: "Ana Horvat")
        let before = try await information(terminal)
        await daemon.kill()
        // The note of this boot goes, too: the folder looks right in itself, and the agent has ended with batond.
        let steps = "rm -rf \(state) && mv \(state)-copy \(state) && rm \(terminal.folder)/run/baton/journal-seen"
        #expect(try await terminal.run(["sh", "-c", steps]).end() == 0)

        daemon = try terminal.run(["batond", "--session"])
        try await daemon.line(containing: "an app was in a later turn")
        try await app.line(containing: "cleared", count: 2)
        try await Peer(terminal).waitForPhase(.quarantined)
        let now = try await information(terminal)
        #expect(now.epoch == before.epoch)
        #expect(now.journalID != before.journalID)
        #expect(!terminal.exists("data/handover.txt"))
        #expect(try await terminal.batonctl("reset").status == 0)
        #expect(try await terminal.batonctl("sign-in", "bo", "--pin-stdin", input: "5678").status == 0)
        await app.kill()
        withExtendedLifetime(daemon) {}
    }

    @Test(.needsMounts)
    func `a full disk lets the barrier run, quarantines, and is made up for when there is space`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let state = "\(terminal.folder)/state"
        try #require(mount("tmpfs", state, "tmpfs", 0, "size=1m") == 0)
        defer { umount2(state, Int32(MNT_DETACH)) }
        var daemon = try await terminal.startDaemon()
        let app = try terminal.run(["baton-example-handover", "\(terminal.folder)/data"])
        try await app.line(containing: "ready")
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        try await app.line(containing: "Ana Horvat")
        let epoch = try await information(terminal).epoch

        let fill = open("\(state)/fill", O_WRONLY | O_CREAT, 0o600)
        let block = [UInt8](repeating: 0, count: 4096)
        while write(fill, block, block.count) > 0 {}
        close(fill)
        let out = try await terminal.batonctl("sign-out")
        #expect(out.status == 5, "\(out.output)")
        #expect(!terminal.exists("data/handover.txt"))
        #expect(try await information(terminal).phase == .quarantined)
        #expect(try await information(terminal).explanation.contains("journal"))
        let peer = try await Peer(terminal)
        #expect(try await peer.refusal { try await peer.signIn("ana", pin: "1234") } == "Quarantined")

        // The journal still says that Ana is there; the mark knows better.
        await daemon.kill()
        daemon = try await terminal.startDaemon()
        var changes = try await terminal.device().events().makeAsyncIterator()
        while try await information(terminal).phase == .clearing { _ = await changes.next() }
        #expect(try await information(terminal).phase == .quarantined)
        #expect(try await peer.refusal { try await peer.signIn("ana", pin: "1234") } == "Quarantined")

        unlink("\(state)/fill")
        let retry = try await terminal.batonctl("sign-out")
        let now = try await information(terminal)
        #expect(now.phase == .ready, "\(retry.output)")
        #expect(now.epoch == epoch)
        #expect(try await peer.signIn("bo", pin: "5678") == epoch.next)
        await daemon.kill()
        daemon = try await terminal.startDaemon()
        #expect(try await information(terminal).phase == .inUse)
        await app.kill()
        withExtendedLifetime(daemon) {}
    }
}
