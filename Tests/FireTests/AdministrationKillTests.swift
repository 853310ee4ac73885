import Baton
import DBus
import FolderTesting
import Glibc
import TerminalTesting
import Testing

@Suite("batond killed while an administrator works", .serialized, .timeLimit(.minutes(8)))
struct AdministrationKillTests {
    private static let silent = "org.example.Silent"

    /// What was answered in the life that was killed.
    private struct Told {
        var isReleased = false
        var isForgotten = false
        var modes = ["shared"]
    }

    private static let named = ["in the transaction, after released", "before unmark"]
    /// Of the other steps, one of so many.
    private static let parts = 3

    @Test func `what an administrator was told stays so, and nothing is half done`() async throws {
        let names = Tally()
        try await Lanes.each { number in
            let name = try await Self.round("\(Rotation.step(number - 1, of: Self.parts))")
            if let name { names.add(name) }
            return name != nil
        }
        let numbered = names.sum
        for beginning in names.missing(Self.named) {
            if let name = try await Self.round("1", beginning: beginning) { names.add(name) }
        }
        print("batond was killed at \(numbered) steps of an administrator's work: \(Rotation.text(Self.parts))")
        #expect(numbered >= 8, "\(names.names)")
        #expect(names.missing(Self.named) == [], "\(names.names)")
    }

    /// - Returns: The step at which batond was killed; nil when that was never due.
    private static func round(_ step: String, beginning: String = "") async throws -> String? {
        let terminal = try Terminal(
            settings: "barrier: {soft: 300ms, hard: 1s, containment: 1s, absolute: 3s, unproven: quarantine}\n"
                + "agent: {required: false, start: false}\n")
        let file = "\(terminal.folder)/order"
        let epoch = try await quarantine(terminal)
        let order = "batond:\(step):\(file)" + (beginning.isEmpty ? "" : ":\(beginning)")
        var daemon = try terminal.run(["batond", "--session"], environment: ["BATON_KILL_AT": order])
        let told = await administrate(daemon, terminal, killed: file)
        await daemon.kill()
        let name = contents(file) ?? "never"

        daemon = try await terminal.startDaemon(agent: false)
        let desk = try await Peer(terminal)
        let (phase, receipt) = (try await desk.phase(), try await desk.receipt(epoch))
        // Both say the same, and what was told.
        let isReleased = receipt?.release != nil
        #expect((phase == "ready") == isReleased, "\(name): \(phase), \(String(describing: receipt))")
        if told.isReleased { #expect(phase == "ready", "\(name)") }
        let apps = try await desk.call(Participants.list).compactMap { $0["app"]?.string }
        if told.isForgotten { #expect(!apps.contains(silent), "\(name)") }
        let mode = try await desk.call(Device1.getDeviceMode)
        // The next one may have been done, with nobody told.
        let next = ["default", "shared"].dropFirst(told.modes.count - 1).first
        #expect(mode == told.modes.last || mode == next, "\(name): \(mode) after \(told.modes)")

        if phase != "ready" { try await desk.leaveQuarantine() }
        if mode != "shared" { try await desk.call(Administration.setDeviceMode, "shared") }
        #expect(try await desk.signIn("bo", pin: "5678") == epoch.next, "\(name)")
        #expect(try await desk.signOut()?.outcome == .cleared, "\(name)")
        await daemon.kill()
        #expect(try JournalPages(of: terminal).faults == [], "\(name)")
        return contents(file)
    }

    /// A turn whose app says nothing, where nobody can contain it. Returns its number.
    private static func quarantine(_ terminal: Terminal) async throws -> Epoch {
        let daemon = try await terminal.startDaemon(agent: false)
        let (desk, app) = (try await Peer(terminal), try await Peer(terminal))
        try await app.register(silent)
        let epoch = try await desk.signIn("ana", pin: "1234")
        #expect(try await desk.signOut()?.outcome == .quarantined)
        await daemon.kill()
        return epoch
    }

    private static func administrate(_ daemon: Program, _ terminal: Terminal, killed file: String) async -> Told {
        var told = Told()
        do {
            try await daemon.line(containing: "] ready")
            let desk = try await Peer(terminal)
            _ = try await desk.call(Administration.endQuarantine, [:])
            told.isReleased = true
            try await desk.call(Administration.forgetApp, (getuid(), silent))
            told.isForgotten = true
            for mode in ["default", "shared"] {
                try await desk.call(Administration.setDeviceMode, mode)
                told.modes.append(mode)
            }
        } catch {
            #expect(access(file, F_OK) == 0, "\(error)")
        }
        return told
    }
}
