import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

@Suite("A participant that means ill, in a process of its own")
struct HostileTests {
    private static let app = "org.example.Hostile"
    private static let settings = "barrier: {soft: 1s, hard: 6s, containment: 4s, absolute: 12s}\n"
    private static let patient = "barrier: {soft: 1s, hard: 12s, containment: 2s, absolute: 16s}\n"
    /// Honest turns before an attack and after it.
    private static let turns = Soak.isOn ? 5 : 3
    /// KiB that batond may keep of an attack.
    private static let growth = 2048

    @Test(.timeLimit(.minutes(4)), arguments: Hostility.all)
    func `the device does what it promises all the same`(_ hostility: Hostility) async throws {
        let fire = try await FireTerminal(settings: hostility.isBusy ? Self.patient : Self.settings)
        try await fire.start()
        var quiet: [UInt32] = []
        for _ in 0..<Self.turns { quiet.append(try await fire.honestTurn().milliseconds) }
        let daemon = try #require(fire.daemon)
        daemon.forgetPeak()
        let before = (own: daemon.memoryParts.own, peak: daemon.peakMemory, open: daemon.openDescriptors)

        var (hostile, receipt, during) = try await attack(fire, hostility)
        // Where batond itself was late, it cannot tell that this was sent a millisecond after the deadline and not before.
        for _ in 0..<4 where hostility.kind == "late" && receipt.participant(Self.app)?.outcome == .cleared {
            (receipt, during) = try await fire.honestTurn()
        }
        look(receipt, hostility, hostile)
        #expect(!hostile.output.contains("WRONG") && !hostile.output.contains("Traceback"), "\(hostile.output)")
        if hostility.kind == "forks" { await lookForForks(receipt, hostile) }
        if hostility.mayQuarantine {
            // It was stopped in that turn, and nothing that it left behind costs the next one anything.
            _ = await hostile.end()
            _ = try await fire.desk.call(Device1.getDeviceMode)
        }
        var after: [UInt32] = []
        for _ in 0..<Self.turns { after.append(try await fire.honestTurn().milliseconds) }
        let peak = max(0, daemon.peakMemory - before.peak)
        var growth = daemon.memoryParts.own - before.own
        // What was needed in the middle of it goes back with a later sign-out.
        var more = 0
        for _ in 0..<5 where growth >= Self.growth {
            more += 1
            _ = try await fire.honestTurn()
            growth = daemon.memoryParts.own - before.own
        }
        try #require(daemon.memoryParts.own > 0)
        if growth >= Self.growth {
            // Or it is kept for the next time. What leaks leaks then, too.
            let kept = growth
            let (again, _, _) = try await attack(fire, hostility)
            await again.kill()
            for _ in 0..<Self.turns { _ = try await fire.honestTurn(mayQuarantine: hostility.mayQuarantine) }
            growth = daemon.memoryParts.own - before.own
            #expect(growth < kept + Self.growth, "batond grew by \(kept) KiB, and then by \(growth - kept) more")
        }
        #expect(peak < hostility.peak, "batond grew by \(peak) KiB in the middle of it")
        // What it had open for the attacker is closed.
        #expect(try await daemon.openDescriptors(soonAtMost: before.open) <= before.open)
        #expect(fire.daemon?.output.contains("Fatal error") == false)
        #expect(fire.witness.faults.isEmpty, "\(fire.witness.faults)")
        print(
            "\(hostility.kind): honest apps \(quiet.max() ?? 0) ms before, \(during) meanwhile, \(after.max() ?? 0) after; "
                + "\(growth) KiB kept after \(more) turns more, \(peak) KiB at the most; \(before.open) descriptors, then \(daemon.openDescriptors)"
        )
        await hostile.kill()
        await fire.end()
    }

    /// A turn with one that means ill, which goes on.
    private func attack(
        _ fire: FireTerminal, _ hostility: Hostility
    ) async throws -> (hostile: Program, receipt: Receipt, during: UInt32) {
        let hostile = try fire.terminal.run(["\(Terminal.package)/Tests/FireTests/hostile.py", hostility.kind])
        switch hostility.first {
        case .ready: try await hostile.line(containing: "ready")
        case .done: try await hostile.line(containing: "done")
        case .gone: _ = await hostile.end()
        }
        if let line = hostility.before { try await hostile.line(containing: line) }
        // In the middle of it, where it goes on for a while.
        let (receipt, during) = try await fire.honestTurn(mayQuarantine: hostility.mayQuarantine) {
            if let line = hostility.inTurn { try await hostile.line(containing: line) }
            // A newcomer is let in.
            let newcomer = try await Peer(fire.terminal)
            let instance = try await newcomer.register("org.example.Newcomer").instance
            try await newcomer.call(Participants.leave, instance)
        }
        return (hostile, receipt, during)
    }

    private func look(_ receipt: Receipt, _ hostility: Hostility, _ hostile: Program) {
        let row = receipt.participant(Self.app)
        #expect(hostility.outcomes.contains(row?.outcome.rawValue ?? "none"), "\(receipt)")
        // Who has left before the bus could say who that was has no name any more.
        let rows = receipt.rejected.filter { $0.app == Self.app || $0.app.isEmpty && $0.error == .misuse(.abandoned) }
        let refused = Set(rows.filter { $0.count > 0 }.map(\.error.rawValue))
        switch hostility.told {
        case .refused(let errors): #expect(refused.isSuperset(of: errors), "\(receipt)")
        case .row, .nothing: #expect(refused.isEmpty, "\(receipt)")
        }
        if row?.outcome == .owed { #expect(row?.explanation.isEmpty == false) }
        if hostility.isStopped {
            #expect(!Puppet.isRunning(hostile.pid))
            #expect(row?.proof != nil, "\(receipt)")
        }
        switch hostility.kind {
        case "forges":
            // Whatever was said for it, it said nothing itself.
            let victim = receipt.participant("org.example.Victim")
            #expect(victim?.outcome == .owed && victim?.proof != nil, "\(receipt)")
        case "last" where hostile.output.contains("in time"): #expect(row?.outcome == .cleared, "\(receipt)")
        case "large": #expect(row?.details.hasPrefix(#"{"truncated":"6"#) == true, "\(receipt)")
        case "crowds", "comes-and-goes":
            let others = receipt.participants.filter { $0.app.hasPrefix(Self.app + ".") || $0.app == "*left" }
            #expect(others.count > 100 && others.allSatisfy { $0.outcome == .cleared }, "\(receipt)")
        default: break
        }
    }

    /// Those that went as far as a process can may be missed, and then the proof is the weakest that there is.
    private func lookForForks(_ receipt: Receipt, _ hostile: Program) async {
        _ = await hostile.end()
        func pids(_ kind: String) -> [Int32] {
            hostile.output.split(separator: "\n").filter { $0.hasPrefix(kind + " ") }
                .compactMap { Int32($0.dropFirst(kind.count + 1)) }
        }
        let (near, far) = (pids("near"), pids("far").filter(Puppet.isRunning))
        #expect(!near.isEmpty && !near.contains(where: Puppet.isRunning), "\(receipt)")
        #expect(far.isEmpty || receipt.participant(Self.app)?.proof == .pid, "\(far.count) live: \(receipt)")
        print("\(far.count) of \(pids("far").count) processes far away were missed")
        for pid in far { kill(pid, SIGKILL) }
    }

    @Test(
        .timeLimit(.minutes(2)),
        .enabled(if: access("/proc/sys/kernel/ns_last_pid", W_OK) == 0, "only root chooses pids"),
        arguments: [false, true])
    func `a process that got the pid of an app that died is left alone`(isListed: Bool) async throws {
        let fire = try await FireTerminal(settings: Self.settings)
        let app = "\(Self.app).Reused"
        if isListed {
            mkdir("\(fire.terminal.folder)/data/reused", 0o700)
            try fire.terminal.write(
                "wipe: [\(fire.terminal.folder)/data/reused]\n", to: "config/baton/apps.d/\(app).yaml")
        }
        try await fire.start()
        let epoch = try await fire.desk.signIn("ana", pin: "1234")
        if isListed { try fire.terminal.write("Ana's", to: "data/reused/file") }
        let hostile = try fire.terminal.run(["\(Terminal.package)/Tests/FireTests/hostile.py", "takes-over-pid"])
        let line = try await hostile.line(containing: "innocent ")
        let innocent = try #require(Int32(line.split(separator: " ").last ?? ""), "no process could be given that pid")
        var isEnded = false
        // Once it has been waited for, its number may be anybody's.
        defer { if !isEnded { kill(innocent, SIGKILL) } }
        try await hostile.line(containing: "done")
        let receipt = try await fire.desk.receipt(epoch, or: fire.desk.signOut())
        #expect(Puppet.isRunning(innocent), "\(receipt)")
        #expect(receipt.outcome != .quarantined, "\(receipt)")
        // Dying takes nobody off the list.
        let row = try #require(receipt.participant(app), "\(receipt)")
        let told = [row.outcome.rawValue, row.proof?.rawValue ?? "", row.explanation]
        let away = "it was not running any more"
        if isListed {
            // Its directory is known, so the agent looks for what it left running, by the pid that is another's now.
            #expect(told == ["contained", "pid", away], "\(receipt)")
            #expect(!fire.terminal.exists("data/reused/file"))
        } else {
            // The agent has told of its end, and there is nobody to stop; or the sign-out came sooner, and it looked.
            let owed = ["owed", "", "\(away), and the location of its data is unknown"]
            #expect(told == owed || told == ["owed", "pid", away], "\(receipt)")
        }
        // It has the attacker's output, which ends with the last who has it.
        kill(innocent, SIGKILL)
        isEnded = true
        await hostile.kill()
        await fire.end()
    }
}
