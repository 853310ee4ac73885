import Baton
import BusTesting
import DBus
import FolderTesting
import Glibc
import TerminalTesting
import Testing

@Suite("A disk that fails in the middle", .serialized)
struct BrokenDiskTests {
    /// How a disk fails.
    struct Fault: Sendable, CustomTestStringConvertible {
        var calls: String
        var error = "EIO"
        /// Of how many writes of a turn one is tried.
        var stride = 1

        var testDescription: String { "\(error) from \(calls)" }
    }

    static let faults = [
        Fault(calls: "fdatasync,fsync"), Fault(calls: "pwrite64"),
        // A file system that the kernel makes read-only in the middle, as after a fault of the disk. Every write was
        // tried with the two above.
        Fault(calls: "pwrite64,fdatasync,fsync", error: "EROFS", stride: 2),
    ]

    /// Each write of a turn, from the start of batond to the receipt, is once the first that the disk does not take.
    @Test(
        .timeLimit(.minutes(10)), .enabled(if: geteuid() == 0, "only root can trace what is nobody's child"),
        arguments: faults)
    func `nothing is promised that it does not hold, and nothing of before is lost`(_ fault: Fault) async throws {
        let tally = Tally()
        try await Lanes.each { step in try await Self.fail(fault, at: step * fault.stride, tally) }
        // Its start, the agent's coming, the app's, the worker's, and then the sign-out: its begin, the app's word, its end.
        print(
            "\(fault.testDescription), from \(tally.count("injected")) points on; "
                + "\(tally.count("quarantined")) in a sign-out")
        #expect(tally.count("injected") >= 6 / fault.stride)
        #expect(tally.count("refused") >= 2 / fault.stride)
        #expect(tally.count("quarantined") >= 3 / fault.stride)
    }

    /// - Returns: False when the turn has fewer writes.
    private static func fail(_ fault: Fault, at point: Int, _ tally: Tally) async throws -> Bool {
        let terminal = try Terminal(settings: Terminal.patient)
        var daemon = try await terminal.startDaemon()
        var desk = try await Peer(terminal)
        let before = try await desk.signIn("bo", pin: "5678")
        let earlier = try #require(try await desk.signOut())
        await daemon.kill()

        let file = "\(terminal.folder)/stop"
        daemon = try terminal.run(
            ["batond", "--session"], environment: ["BATON_STOP_AT": "batond:\(point):\(file):before writing"])
        let disk = Task { [daemon] in
            try await FailingDisk(under: daemon, calls: fault.calls, error: fault.error, terminal)
        }
        let turn = try await BrokenTurn(daemon, terminal)
        // In this order, or it would write that the app is gone.
        await daemon.kill()
        await turn.app.program.kill()
        guard let disk = try await disk.value else { return false }
        let what = "\(fault.testDescription) from write \(point) on, \(contents(file) ?? "")"
        let injected = await disk.injected()
        #expect(injected > 0, "\(what)")
        if injected > 0 { tally.add("injected") }
        #expect(daemon.output.contains("the journal cannot be written"), "\(what): \(daemon.output)")
        #expect(!daemon.output.contains("Fatal error"), "\(what): \(daemon.output)")
        if let told = turn.told {
            tally.add("quarantined")
            #expect(told.outcome == .quarantined, "\(what): \(told)")
            #expect(told.explanation.contains("the journal cannot be written"), "\(what): \(told)")
            #expect(turn.phase == "quarantined", "\(what)")
        } else {
            tally.add("refused")
            #expect(turn.begun == nil && turn.refusal == "Failed", "\(what): \(turn.refusal ?? "nothing")")
        }

        daemon = try await terminal.startDaemon()
        desk = try await Peer(terminal)
        if try await desk.phase() == "in-use" { _ = try await desk.signOut() }
        let isShut = try await desk.phase() == "quarantined"
        try await desk.leaveQuarantine()
        #expect(try await desk.phase() == "ready", "\(what)")
        #expect(try await desk.receipt(before) == earlier, "\(what)")
        // A turn that was said to have begun has its receipt, and its number is nobody else's.
        if let begun = turn.begun {
            let kept = try #require(try await desk.receipt(begun), "\(what)")
            #expect(kept.account?.username == "ana", "\(what)")
            // What could not be synchronized may have reached the disk all the same; but then the marker shuts the device.
            #expect(kept.outcome == .quarantined || kept.outcome == .cleared && isShut, "\(what): \(kept)")
        }
        let next = try await desk.signIn("bo", pin: "5678")
        #expect(next > (turn.begun ?? before), "\(what)")
        _ = try await desk.signOut()
        await daemon.kill()
        #expect(try JournalPages(of: terminal).faults == [], "\(what)")
        return true
    }
}
