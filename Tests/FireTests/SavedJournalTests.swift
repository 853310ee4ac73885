import Baton
import BusTesting
import DBus
import FolderTesting
import Glibc
import TerminalTesting
import Testing

/// What is written beside the records of turns: tries of PINs, the whole state after a fault, another journal.
@Suite("batond killed while it writes what is no record of a turn", .serialized, .timeLimit(.minutes(6)))
struct SavedJournalTests {
    /// Starts it with a kill at the n-th step of these; ends when the kill is not due.
    private func sweep(
        _ beginning: String, names wanted: [String],
        _ round: @escaping @Sendable (Terminal, [String: String], String) async throws -> Void
    ) async throws {
        let names = Tally()
        try await Lanes.each { step in
            let terminal = try Terminal(settings: Terminal.patient)
            let file = "\(terminal.folder)/order"
            let order = ["BATON_KILL_AT": "batond:\(step):\(file):\(beginning)"]
            try await round(terminal, order, file)
            guard let name = contents(file) else { return false }
            names.add(name)
            return true
        }
        #expect(names.missing(wanted) == [], "\(names.names)")
    }

    @Test func `a wrong PIN that was answered stays counted`() async throws {
        try await sweep(
            "PIN:",
            names: [
                "PIN: before a try is counted", "PIN: after a try was counted", "PIN: before the tries are forgotten",
                "PIN: after the tries were forgotten",
            ]
        ) { terminal, order, file in
            var daemon = try terminal.run(["batond", "--session"], environment: order)
            try await daemon.line(containing: "the agent has registered")
            let desk = try await Peer(terminal)
            var refused = 0
            do {
                // An error of the bus is no answer.
                for _ in 1...2 {
                    let refusal = try await desk.refusal { try await desk.signIn("ana", pin: "0000") }
                    if let refusal, !refusal.contains(".") { refused += 1 }
                }
                try await desk.signIn("bo", pin: "5678")
                try await desk.signIn("bo", pin: "5678")
            } catch {
                #expect(access(file, F_OK) == 0, "\(error)")
            }
            await daemon.kill()
            let counted = try JournalPages(of: terminal).failures["ana/other"] ?? 0
            // Counted before it is looked at: one may be that nobody was told of.
            #expect(counted >= refused && counted <= refused + 1, "\(contents(file) ?? "")")
            daemon = try await terminal.startDaemon()
            let name = "\(contents(file) ?? "")"
            if try await desk.phase() == "in-use" { _ = try await desk.signOut() }
            try await desk.signIn("ana", pin: "1234")
            let receipt = try #require(try await desk.signOut(), "\(name)")
            #expect(receipt.outcome == .cleared, "\(name)")
            await daemon.kill()
            let pages = try JournalPages(of: terminal)
            #expect(pages.faults == [] && pages.failures["ana/other"] == nil, "\(name)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can trace what is nobody's child"))
    func `the state saved after a fault is whole or is not there`() async throws {
        try await sweep(
            "save:",
            names: [
                "save: before the whole state is written", "save: in the transaction, after the whole state",
                "save: after the whole state was written",
            ]
        ) { terminal, order, file in
            var daemon = try await terminal.startDaemon()
            var desk = try await Peer(terminal)
            let before = try await desk.signIn("bo", pin: "5678")
            let earlier = try #require(try await desk.signOut())
            await daemon.kill()
            // The sixth write is in the sign-out or shortly before it; the disk refuses that one alone.
            let stop = ["BATON_STOP_AT": "batond:6:\(terminal.folder)/stop:before writing"]
            daemon = try terminal.run(["batond", "--session"], environment: order.merging(stop) { $1 })
            let disk = Task { [daemon] in
                try await FailingDisk(under: daemon, calls: "fdatasync", once: true, terminal)
            }
            let turn = try? await BrokenTurn(daemon, terminal)
            await daemon.kill()
            await turn?.app.program.kill()
            let failing = try #require(try await disk.value)
            let name = contents(file) ?? ""
            #expect(await failing.injected() > 0, "\(name)")
            #expect(daemon.output.contains("the journal cannot be written"), "\(name): \(daemon.output)")

            daemon = try await terminal.startDaemon()
            desk = try await Peer(terminal)
            if try await desk.phase() == "in-use" { _ = try await desk.signOut() }
            if try await desk.phase() == "clearing" { _ = try await desk.signOut() }
            try await desk.leaveQuarantine()
            #expect(try await desk.receipt(before) == earlier, "\(name)")
            if let begun = turn?.begun {
                let kept = try #require(try await desk.receipt(begun), "\(name)")
                #expect(kept.account?.username == "ana", "\(name)")
                if let told = turn?.told { #expect(kept.outcome == told.outcome, "\(name): \(told), \(kept)") }
            }
            let last = try await desk.epoch()
            let next = try await desk.signIn("bo", pin: "5678")
            #expect(next == last.next, "\(name)")
            _ = try await desk.signOut()
            await daemon.kill()
            #expect(try JournalPages(of: terminal).faults == [], "\(name)")
        }
    }

    @Test func `a journal that is being made is there whole or not at all`() async throws {
        try await sweep(
            "new:",
            names: [
                "new: before the journal is in its place", "new: after the journal is in its place",
                "new: before the epoch file is written", "new: after the epoch file was written",
            ]
        ) { terminal, order, file in
            try await Self.start(terminal, order)
            let daemon = try await terminal.startDaemon()
            try await Self.turn(on: terminal, "\(contents(file) ?? "")")
            await daemon.kill()
            #expect(try JournalPages(of: terminal).faults == [], "\(contents(file) ?? "")")
        }
    }

    @Test func `an older copy that is being gone on from gives no number again`() async throws {
        try await sweep(
            "new:",
            names: [
                "new: in the transaction that leaves an older copy's turn", "new: after an older copy's turn was left",
            ]
        ) { terminal, order, file in
            let state = "\(terminal.folder)/state/baton"
            var daemon = try await terminal.startDaemon()
            // In the copy she holds the device.
            try await Peer(terminal).signIn("ana", pin: "1234")
            daemon.signal(SIGTERM)
            #expect(await daemon.end() == 0)
            #expect(
                try await ChildProcess(["cp", "\(state)/baton.sqlite", "\(terminal.folder)/copy"]).end().status == 0)
            daemon = try await terminal.startDaemon()
            _ = try await Peer(terminal).signOut()
            let last = try await Self.turn(on: terminal, "before")
            daemon.signal(SIGTERM)
            #expect(await daemon.end() == 0)
            for name in names(in: "\(terminal.folder)/state/baton") where name.hasPrefix("baton.sqlite") {
                unlink("\(state)/\(name)")
            }
            #expect(
                try await ChildProcess(["cp", "\(terminal.folder)/copy", "\(state)/baton.sqlite"]).end().status == 0)
            try await Self.start(terminal, order)
            daemon = try await terminal.startDaemon()
            let name = "\(contents(file) ?? "")"
            #expect(try await Peer(terminal).phase() != "in-use", "\(name)")
            #expect(try await Self.turn(on: terminal, name) > last, "\(name)")
            await daemon.kill()
            #expect(try JournalPages(of: terminal).faults == [], "\(name)")
        }
    }

    /// Once, killed on the way or when it is ready.
    private static func start(_ terminal: Terminal, _ order: [String: String]) async throws {
        let daemon = try terminal.run(["batond", "--session"], environment: order)
        _ = try? await daemon.line(containing: "the agent has registered")
        await daemon.kill()
    }

    @discardableResult
    private static func turn(on terminal: Terminal, _ name: String) async throws -> Epoch {
        let desk = try await Peer(terminal)
        if try await desk.phase() != "ready" { _ = try await desk.signOut() }
        let epoch = try await desk.signIn("bo", pin: "5678")
        #expect(try await desk.signOut()?.outcome == .cleared, "\(name)")
        return epoch
    }

    @Test func `a journal that is being moved aside is never half of one, and its numbers are never given again`()
        async throws
    {
        try await sweep(
            "reset:",
            names: [
                "reset: before the epoch file goes on", "reset: after the epoch file went on",
                "reset: after baton.sqlite was moved", "reset: after all of it was moved",
            ]
        ) { terminal, order, file in
            var daemon = try await terminal.startDaemon()
            var desk = try await Peer(terminal)
            let before = try await desk.signIn("bo", pin: "5678")
            _ = try await desk.signOut()
            await daemon.kill()
            let damage = "this was a journal once"
            try terminal.write(damage, to: "state/baton/baton.sqlite")
            daemon = try terminal.run(["batond", "--session"], environment: order)
            try await daemon.line(containing: "the agent has registered")
            desk = try await Peer(terminal)
            #expect(try await desk.phase() == "quarantined")
            // Broken off by the kill, an administrator asks again.
            _ = try? await desk.call(Administration.endQuarantine, [:])
            await daemon.kill()
            daemon = try await terminal.startDaemon()
            desk = try await Peer(terminal)
            let name = contents(file) ?? ""
            try await desk.leaveQuarantine()
            #expect(try await desk.phase() == "ready", "\(name)")
            let next = try await desk.signIn("ana", pin: "1234")
            #expect(next > before, "\(name)")
            #expect(try await desk.signOut()?.outcome == .cleared, "\(name)")
            await daemon.kill()
            #expect(try JournalPages(of: terminal).faults == [], "\(name)")
            let kept = names(in: "\(terminal.folder)/state/baton").filter { $0.hasSuffix(".aside") }
            #expect(kept.contains { contents("\(terminal.folder)/state/baton/\($0)") == damage }, "\(name): \(kept)")
        }
    }
}
