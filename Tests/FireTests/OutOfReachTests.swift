import Baton
import BusTesting
import DBus
import FolderTesting
import Glibc
import TerminalTesting
import Testing

/// A journal with nothing wrong in it that batond cannot write or move, for a while.
@Suite("A journal that is out of reach", .timeLimit(.minutes(3)), .needsMounts)
struct OutOfReachTests {
    enum Remedy: CaseIterable, CustomTestStringConvertible {
        case reset, restart

        var testDescription: String { "\(self)" }
    }

    /// Somebody is signed in on it, and batond was killed.
    private struct Ward {
        let terminal: Terminal
        let app: Program
        let epoch: Epoch
        let journalID: String
        var state: String { "\(terminal.folder)/state/baton" }

        init() async throws {
            terminal = try Terminal(settings: Terminal.patient)
            let daemon = try await terminal.startDaemon()
            app = try terminal.run(["baton-example-handover", "\(terminal.folder)/data"])
            try await app.line(containing: "ready")
            epoch = try await Peer(terminal).signIn("ana", pin: "1234")
            journalID = try await terminal.device().deviceInformation().journalID
            await daemon.kill()
        }

        func look() async throws -> DeviceInformation { try await terminal.device().deviceInformation() }

        /// batond on a state folder in which it can write nothing.
        func shut() async throws -> Program {
            let daemon = try await terminal.startDaemon()
            let now = try await look()
            #expect(now.phase == .quarantined && now.epoch == epoch)
            #expect(now.explanation.contains(state) && now.explanation.contains("Read-only"), "\(now.explanation)")
            #expect(now.explanation.contains("batonctl reset"), "\(now.explanation)")
            let desk = try await Peer(terminal)
            #expect(try await desk.refusal { try await desk.signIn("bo", pin: "5678") } == "Quarantined")
            return daemon
        }

        /// Whoever has mended it says so.
        ///
        /// - Parameter words: What a reset answers.
        func goOn(by remedy: Remedy, _ daemon: Program, saying words: String = "") async throws -> Program {
            switch remedy {
            case .reset:
                let reset = try await terminal.batonctl("reset")
                #expect(reset.status == 0 && (words.isEmpty || reset.output.contains(words)), "\(reset.output)")
                try await daemon.line(containing: "the agent has registered", count: 2)
                return daemon
            case .restart:
                await daemon.kill()
                return try await terminal.startDaemon()
            }
        }
    }

    @Test(arguments: Remedy.allCases)
    func `shuts the device and says why, and is gone on with where it was`(_ remedy: Remedy) async throws {
        let ward = try await Ward()
        let (terminal, mark) = (ward.terminal, contents("\(ward.state)/epoch"))
        let folder = try ReadOnlyFolder(ward.state)
        var daemon = try await ward.shut()
        // It may be whole, so nobody gives it up for a new one.
        let reset = try await terminal.batonctl("reset")
        #expect(reset.status != 0 && reset.output.contains(ward.state), "\(reset.output)")
        #expect(reset.output.contains("make it accessible"), "\(reset.output)")
        let doctor = try await terminal.batonctl("doctor")
        #expect(doctor.status == 1 && doctor.output.contains("correct that file"), "\(doctor.output)")
        #expect(contents("\(ward.state)/epoch") == mark)
        folder.end()
        daemon = try await ward.goOn(by: remedy, daemon, saying: "still signed in")
        let desk = try await Peer(terminal)
        try await desk.waitForPhase(.inUse)
        let now = try await ward.look()
        #expect(now.epoch == ward.epoch && now.journalID == ward.journalID)
        #expect(try await terminal.batonctl("account").output.contains("Ana Horvat"))
        // The app has come along: it had cleared when the device knew of no turn, and gets the worker once more.
        try await ward.app.line(containing: "Ana Horvat", count: 2)
        #expect(terminal.exists("data/handover.txt"), "\(ward.app.output)")
        #expect(try await terminal.batonctl("sign-out").status == 0)
        let receipt = try #require(try await desk.receipt(ward.epoch))
        #expect(receipt.outcome == .cleared && receipt.participants.map(\.outcome) == [.cleared], "\(receipt)")
        #expect(!terminal.exists("data/handover.txt"))
        #expect(try await desk.signIn("bo", pin: "5678") == ward.epoch.next)
        await ward.app.kill()
        await daemon.kill()
    }

    @Test(arguments: Remedy.allCases)
    func `a sign-out that was asked for meanwhile is done when it is back`(_ remedy: Remedy) async throws {
        let ward = try await Ward()
        let terminal = ward.terminal
        let folder = try ReadOnlyFolder(ward.state)
        var daemon = try await ward.shut()
        let (status, output) = try await terminal.batonctl("sign-out")
        #expect(status == 1, "\(output)")
        await daemon.kill()
        // What is to be done about it is said all the same.
        daemon = try await ward.shut()
        folder.end()
        daemon = try await ward.goOn(by: remedy, daemon)
        let desk = try await Peer(terminal)
        try await desk.waitForPhase(.ready)
        let receipt = try #require(try await desk.receipt(ward.epoch))
        #expect(receipt.outcome == .cleared && receipt.reason == .recovery, "\(receipt)")
        #expect(receipt.participants.map(\.app) == ["org.example.Handover"], "\(receipt)")
        #expect(!terminal.exists("data/handover.txt"))
        // It is done once.
        #expect(try await desk.signIn("bo", pin: "5678") == ward.epoch.next)
        await daemon.kill()
        daemon = try await terminal.startDaemon()
        #expect(try await ward.look().phase == .inUse)
        await ward.app.kill()
        await daemon.kill()
    }

    @Test func `a quarantine that the journal holds is not ended by the reset that finds it`() async throws {
        let ward = try await Ward()
        // A sign-out that nobody knows enough of: the journal holds a quarantine.
        try ward.terminal.write("", to: "run/baton/journal-failed")
        var daemon = try await ward.terminal.startDaemon()
        try await Peer(ward.terminal).waitForPhase(.quarantined)
        await daemon.kill()
        let folder = try ReadOnlyFolder(ward.state)
        daemon = try await ward.shut()
        folder.end()
        let reset = try await ward.terminal.batonctl("reset")
        #expect(reset.status == 0, "\(reset.output)")
        // The agent that comes back makes up for what was missing.
        let desk = try await Peer(ward.terminal)
        try await desk.waitForPhase(.ready)
        let receipt = try #require(try await desk.receipt(ward.epoch))
        #expect(receipt.outcome == .quarantined && receipt.release?.by == .retry, "\(receipt)")
        await ward.app.kill()
        await daemon.kill()
    }

    @Test func `a reset leaves the journal alone when it is a file beside it that is wrong`() async throws {
        let ward = try await Ward()
        let file = "\(ward.state)/device-id"
        unlink(file)
        #expect(symlink("/dev/null", file) == 0)
        let daemon = try await ward.terminal.startDaemon()
        #expect(try await ward.look().phase == .quarantined)
        var reset = try await ward.terminal.batonctl("reset")
        #expect(reset.status != 0 && reset.output.contains("move this file away"), "\(reset.output)")
        unlink(file)
        reset = try await ward.terminal.batonctl("reset")
        #expect(reset.status == 0, "\(reset.output)")
        let now = try await ward.look()
        #expect(now.phase == .inUse && now.journalID == ward.journalID)
        await ward.app.kill()
        await daemon.kill()
    }

    @Test func `a reset that cannot move a damaged one aside leaves it the journal`() async throws {
        let ward = try await Ward()
        let (terminal, file) = (ward.terminal, "\(ward.state)/baton.sqlite")
        let mark = contents("\(ward.state)/epoch")
        let whole = "\(terminal.folder)/whole"
        #expect(rename(file, whole) == 0)
        try terminal.write("damaged by whoever put it there", to: "state/baton/baton.sqlite")
        var daemon = try await terminal.startDaemon()
        // What something is mounted on cannot be renamed.
        #expect(mount(file, file, nil, UInt(MS_BIND), nil) == 0)
        defer { umount2(file, Int32(MNT_DETACH)) }
        let reset = try await terminal.batonctl("reset")
        #expect(reset.status != 0 && reset.output.contains("cannot be moved"), "\(reset.output)")
        #expect(contents("\(ward.state)/epoch") == mark)
        umount2(file, Int32(MNT_DETACH))
        await daemon.kill()
        #expect(rename(whole, file) == 0)
        daemon = try await terminal.startDaemon()
        #expect(!daemon.output.contains("older copy"), "\(daemon.output)")
        let now = try await ward.look()
        #expect(now.phase == .inUse && now.journalID == ward.journalID)
        await ward.app.kill()
        await daemon.kill()
    }
}
