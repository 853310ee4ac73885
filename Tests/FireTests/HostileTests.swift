import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting
import Testing

/// What a process that means ill does, and what its row in the receipt may say of it afterwards.
struct Hostility: Sendable, CustomTestStringConvertible {
    let kind: String
    var outcomes: Set<String> = ["owed"]
    /// Its refused words stand in the receipt.
    var isRejected = false
    /// Whoever registers and is gone before anybody can hold on to its process, and lives on, is not proven gone.
    var mayQuarantine = false
    /// What it is to be done with before the worker comes. A moment later it would have been shown an account, or asked.
    var first = Moment.ready
    var testDescription: String { kind }

    enum Moment { case ready, done, gone }

    private static var wanted: String? { getenv("BATON_HOSTILE").map { String(cString: $0) } }

    /// `BATON_HOSTILE` names the one to be looked at.
    static var all: [Hostility] { known.filter { kind in wanted.map { $0 == kind.kind } ?? true } }

    private static let known = [
        Hostility(kind: "silent"), Hostility(kind: "stopped"),
        Hostility(kind: "slow", outcomes: ["cleared", "owed"]),
        Hostility(kind: "dies-before", outcomes: ["none"], first: .gone), Hostility(kind: "dies-during"),
        Hostility(kind: "dies-after", outcomes: ["cleared"]),
        Hostility(kind: "forges", outcomes: ["cleared"], isRejected: true),
        Hostility(kind: "early", isRejected: true, first: .done),
        Hostility(kind: "replays", outcomes: ["cleared"], isRejected: true), Hostility(kind: "extends"),
        Hostility(kind: "forks"), Hostility(kind: "steals", outcomes: ["cleared"]),
        Hostility(kind: "leaves", mayQuarantine: true),
        Hostility(kind: "wrong-signatures"), Hostility(kind: "large", outcomes: ["cleared", "owed"]),
        Hostility(kind: "registers"), Hostility(kind: "calls"), Hostility(kind: "descriptors"),
    ]
}

@Suite("A participant that means ill, in a process of its own", .serialized)
struct HostileTests {
    private static let app = "org.example.Hostile"
    private static let settings = "barrier: {soft: 1s, hard: 4s, containment: 2s, absolute: 8s}\n"
    /// KiB that batond may keep of an attack.
    private static let growth = 2048

    @Test(.timeLimit(.minutes(4)), arguments: Hostility.all)
    func `the device does what it promises all the same`(_ hostility: Hostility) async throws {
        let fire = try await FireTerminal(settings: Self.settings)
        try await fire.start()
        var quiet: [UInt32] = []
        for _ in 0..<5 { quiet.append(try await fire.honestTurn().milliseconds) }
        let daemon = try #require(fire.daemon)
        let before = daemon.memoryParts.own

        let hostile = try fire.terminal.run(["\(Terminal.package)/Tests/FireTests/hostile.py", hostility.kind])
        switch hostility.first {
        case .ready: try await hostile.line(containing: "ready")
        case .done: try await hostile.line(containing: "done")
        case .gone: _ = await hostile.end()
        }
        // In the middle of it, where it goes on for a while.
        let (receipt, during) = try await fire.honestTurn(mayQuarantine: hostility.mayQuarantine)
        let row = receipt.participant(Self.app)
        #expect(hostility.outcomes.contains(row?.outcome ?? "none"), "\(receipt)")
        if hostility.isRejected {
            #expect(receipt.rejected.contains { $0.app == Self.app && $0.count > 0 }, "\(receipt)")
        }
        if row?.outcome == "owed" {
            #expect(!Puppet.isRunning(hostile.pid))
            #expect(row?.explanation.isEmpty == false)
        }
        if hostility.mayQuarantine {
            // What it has sent by then may still be on its way, so that it costs the next turns a quarantine as well.
            try await hostile.line(containing: "done")
            for _ in 0..<10 {
                if try await fire.honestTurn(mayQuarantine: true).receipt.outcome != .quarantined { break }
            }
        }
        var after: [UInt32] = []
        for _ in 0..<5 { after.append(try await fire.honestTurn().milliseconds) }
        var growth = daemon.memoryParts.own - before
        // What was needed in the middle of it goes back with a later sign-out; what leaks never does.
        for _ in 0..<100 where growth >= Self.growth {
            _ = try await fire.honestTurn()
            growth = daemon.memoryParts.own - before
        }
        try #require(daemon.memoryParts.own > 0)
        #expect(growth < Self.growth, "batond grew by \(growth) KiB")
        #expect(fire.daemon?.output.contains("Fatal error") == false)
        #expect(fire.witness.faults.isEmpty, "\(fire.witness.faults)")
        print(
            "\(hostility.kind): honest apps \(quiet.max() ?? 0) ms before, \(during) meanwhile, \(after.max() ?? 0) after; \(growth) KiB"
        )
        await hostile.kill()
        await fire.end()
    }

    @Test(
        .timeLimit(.minutes(2)),
        .enabled(if: access("/proc/sys/kernel/ns_last_pid", W_OK) == 0, "only root chooses pids"))
    func `a process that got the pid of an app that died is left alone`() async throws {
        let fire = try await FireTerminal(settings: Self.settings)
        try await fire.start()
        let epoch = try await fire.desk.signIn("ana", pin: "1234")
        let hostile = try fire.terminal.run(["\(Terminal.package)/Tests/FireTests/hostile.py", "takes-over-pid"])
        let line = try await hostile.line(containing: "innocent ")
        let innocent = try #require(Int32(line.split(separator: " ").last ?? ""), "no process could be given that pid")
        try await hostile.line(containing: "done")
        let receipt = try await fire.desk.receipt(epoch, or: fire.desk.signOut())
        #expect(Puppet.isRunning(innocent), "\(receipt)")
        kill(innocent, SIGKILL)
        #expect(receipt.outcome != .quarantined, "\(receipt)")
        await hostile.kill()
        await fire.end()
    }
}

extension FireTerminal {
    /// A whole turn in which all honest apps cleared. Gives the receipt and how long the slowest of them took.
    func honestTurn(mayQuarantine: Bool = false) async throws -> (receipt: Receipt, milliseconds: UInt32) {
        let epoch = try await signInPatiently()
        let receipt = try await desk.receipt(epoch, or: desk.signOut())
        witness.ended(epoch, receipt.outcome.rawValue)
        if mayQuarantine, receipt.outcome == .quarantined {
            _ = try await desk.call(Administration.endQuarantine, [:])
        } else {
            #expect(receipt.outcome != .quarantined, "\(receipt)")
        }
        let rows = apps.compactMap { app in receipt.participant(app.id) }
        #expect(rows.count == apps.count)
        #expect(rows.allSatisfy { ["cleared", "nothing-to-clear"].contains($0.outcome) }, "\(receipt)")
        #expect(apps.allSatisfy { $0.held != epoch })
        return (receipt, rows.map(\.milliseconds).max() ?? 0)
    }

    /// Somebody else's attempts may be in the way; each of them ends.
    private func signInPatiently() async throws -> UInt64 {
        while true {
            do {
                return try await desk.signIn("ana", pin: "1234")
            } catch let error as DBusError where error.name?.rawValue.hasSuffix(".SigningIn") == true {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}

extension Receipt {
    func participant(_ app: String) -> Participant? { participants.first { $0.app == app } }
}
