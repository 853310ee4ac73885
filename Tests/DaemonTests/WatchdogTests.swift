import Baton
import FolderTesting
import Glibc
import LinuxSystem
import TerminalTesting
import Testing

/// Under a service manager that wants signs of life, as systemd does with `WatchdogSec=`.
@Suite("The watchdog", .timeLimit(.minutes(3)))
struct WatchdogTests {
    /// What a busy machine still keeps.
    private static let patience = ["WATCHDOG_USEC": "4000000"]

    private func manage(_ terminal: Terminal, _ more: [String: String] = [:]) async throws -> Program {
        try await terminal.startManaged(environment: Self.patience.merging(more) { $1 })
    }

    private func pid(_ line: String) throws -> Int32 {
        let words = line.split(separator: " ")
        return try #require(words.count > 2 ? Int32(words[2]) : nil, "\(line)")
    }

    @Test func `batond says that it lives as long as it does`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let manager = try await manage(terminal)
        try await manager.line(containing: "manager: alive", count: 3)
        #expect(!manager.output.contains("no sign of life"), "\(manager.output)")
    }

    @Test func `one that is stopped is ended, and the next one has the worker's turn`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let manager = try await manage(terminal)
        let epoch = try await Peer(terminal).signIn("ana", pin: "1234")
        let pid = try pid(try await manager.line(containing: "manager: started"))
        kill(pid, SIGSTOP)
        try await manager.line(containing: "manager: no sign of life from \(pid)")
        try await manager.line(containing: "the agent has registered", count: 2)
        let desk = try await Peer(terminal)
        #expect(try await desk.epoch() == epoch)
        #expect(try await desk.phase() == "in-use")
        let receipt = try await desk.receipt(epoch, or: desk.signOut())
        #expect(receipt.outcome == .cleared)
    }

    @Test func `one whose thread goes round for ever in a sign-out is ended, and the next one ends the sign-out`()
        async throws
    {
        let terminal = try Terminal(settings: Terminal.patient)
        let file = "\(terminal.folder)/order"
        let manager = try await manage(terminal, ["BATON_SPIN_AT": "batond:2:\(file):before announce("])
        let desk = try await Peer(terminal)
        let epoch = try await desk.signIn("ana", pin: "1234")
        let leaving = Task { try? await desk.signOut() }
        try await manager.line(containing: "manager: no sign of life")
        #expect(contents(file)?.hasPrefix("before announce(") == true)
        _ = await leaving.value
        try await manager.line(containing: "the agent has registered", count: 2)
        let next = try await Peer(terminal)
        try await next.waitForPhase(.ready)
        #expect(try await next.receipt(epoch)?.outcome == .cleared)
    }

    @Test func `an interval is half of what is waited for, and only that of this process`() {
        #expect(Watchdog.interval(["WATCHDOG_USEC": "60000000"], own: 7) == .seconds(30))
        #expect(Watchdog.interval(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "7"], own: 7) == .seconds(30))
        #expect(Watchdog.interval(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "8"], own: 7) == nil)
        for wrong in ["", "0", "1", "-5", "many", "99999999999999999999"] {
            #expect(Watchdog.interval(["WATCHDOG_USEC": wrong], own: 7) == nil)
        }
        #expect(Watchdog.interval([:], own: 7) == nil)
    }
}
