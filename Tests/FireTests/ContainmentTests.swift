import Baton
import DBus
import TerminalTesting
import Testing

@Suite("The agent, and batond, killed at every step of a containment", .serialized)
struct ContainmentTests {
    @Test(.timeLimit(.minutes(Soak.minutes(10))))
    func `what the receipt says is gone is gone, when the agent was killed`()
        async throws
    {
        let tally = try await sweep("baton-agent", parts: 3, named: Self.named, quarantines: Self.unprovable)
        #expect(tally.count(Self.killed) >= 20, "\(tally.names)")
        #expect(tally.missing(Self.named) == [], "\(tally.names)")
        // At least the steps before the first process is stopped, and those after the wipe.
        #expect(tally.count(Self.quarantined) <= 12, "\(tally.names)")
    }

    @Test(.timeLimit(.minutes(Soak.minutes(10)))) func `what the receipt says is gone is gone, when batond was killed`()
        async throws
    {
        let tally = try await sweep("batond", parts: 8, named: Self.batondNamed, quarantines: nil)
        #expect(tally.count(Self.killed) >= (Soak.isOn ? 20 : 10), "\(tally.names)")
        #expect(tally.missing(Self.batondNamed) == [], "\(tally.names)")
        #expect(tally.count(Self.quarantined) <= tally.count(Self.killed) / 4, "\(tally.names)")
    }

    private static let batondNamed = [
        "before agent(SessionMachine.Effect.Request.contain(", "in the transaction, after entry",
        "in the transaction, after ended", "after the transaction", "before reply", "before announce(",
    ]
    private static let killed = "killed"
    private static let quarantined = "quarantined"

    /// Both ends of all that the agent is asked for, and what it does in between.
    private static let named = [
        "asked to watch a process", "asked to begin a turn", "before the answer about a turn's beginning",
        "asked to contain", "while everything stands still", "before a process is killed", "after a process was killed",
        "in the middle of a wipe", "before the answer about a containment", "asked to sign the browser out",
        "before the answer about the browser", "asked to clear shared holders", "after the sandboxes ended",
        "after clipboard was cleared", "after the shared holders were cleared", "after the strays were ended",
        "before the answer about shared holders",
    ]

    /// Here an agent dies that had stopped the app's processes and told nobody of their end. The next one ends them before
    /// anything else, and then they are not there any more to be shown to be the app's.
    private static let unprovable = [
        "while everything stands still", "before a process is killed", "after a process was killed",
        "in the middle of a wipe",
    ]

    /// Where both that killed the app and that knew of its processes are gone, nobody can prove anything any more: then
    /// the device says so and stays shut. It must not say more than is true, and it must not give up without need.
    ///
    /// - Parameters:
    ///   - parts: Of how many steps one is taken.
    ///   - named: Steps to be asked for by name where their numbers have been passed over: what is done at the same time has no
    ///     order of its own.
    ///   - quarantines: The steps at which that may be; nil: any, since batond takes the agent with it.
    private func sweep(
        _ program: String, parts: Int, named: [String] = [], quarantines: [String]?
    ) async throws -> Tally {
        let tally = Tally()
        @Sendable func kill(_ fire: FireTerminal, _ order: FireTerminal.Order) async throws -> Bool {
            fire.release = .always
            let (remains, receipt) = try await fire.containment(order)
            let what = "\(program), step \(order.step), \(order.stepName): \(receipt)"
            if receipt.outcome == .quarantined {
                tally.add(Self.quarantined)
                #expect(order.wasCarriedOut && quarantines?.contains(order.stepName) != false, "\(what)")
                // Nothing else is in the way, and it says which app.
                #expect(receipt.explanation == "not contained: \(ContainedApp.id)", "\(what)")
            } else {
                #expect(receipt.outcome == .contained, "\(what)")
                #expect(remains.isEmpty, "\(what): \(remains)")
            }
            let row = receipt.participant(ContainedApp.id)
            #expect(row?.outcome == (receipt.outcome == .quarantined ? .unproven : .contained), "\(what)")
            let faults = fire.faults
            #expect(faults.isEmpty, "\(what): \(faults)")
            guard order.wasCarriedOut else { return false }
            tally.add(order.stepName)
            tally.add(Self.killed)
            return true
        }
        var steps = try await Lanes.run(untilNotDue: true) { fire, place in
            try await kill(fire, fire.order(program, at: Rotation.step(place, of: parts)))
        }
        let missing = tally.missing(named)
        steps += try await Lanes.run(missing.count) { fire, place in
            try await kill(fire, fire.order(program, at: 1, beginning: missing[place]))
        }
        print(
            "\(program) was killed at \(steps) steps of a containment, \(Rotation.text(parts)); "
                + "\(tally.count(Self.quarantined)) not proven")
        return tally
    }
}

extension FireTerminal {
    /// A round with an app that cannot clear. Gives what is left of the app, and how the sign-out ended.
    func containment(_ order: Order) async throws -> ([String], Receipt) {
        try await warmUp()
        let app = try await ContainedApp(terminal)
        let epoch = try await desk.signIn("ana", pin: "1234")
        witness.began(epoch, "ana")
        try app.work()
        // From here on it counts.
        try await start(order)
        var rest: ArraySlice<Order> = []
        try await throughKills(&rest) {
            let signOut = try await self.beginSignOut(epoch)
            await app.giveUp(epoch)
            if let receipt = try await signOut.value { self.witness.ended(receipt.epoch, receipt.outcome.rawValue) }
        }
        await app.giveUp(epoch)
        try await throughKills(&rest) { try await self.settle() }
        // The step may come only now, where the agent still has something to say.
        let receipt = try await againAfterKill {
            _ = try await self.witness.check(self.desk)
            return try await self.desk.receipt(epoch, or: nil)
        }
        let remains = app.remains
        await app.end()
        return (remains, receipt)
    }

    private func beginSignOut(_ epoch: Epoch) async throws -> Task<Receipt?, any Error> {
        let signals = try await desk.signals(Device1.signingOut)
        let task = Task { [desk] in try await desk.signOut(["epoch": epoch.variant]) }
        let opened = Task {
            for try await _ in signals { return }
        }
        // The call's end says too that nothing is to be waited for any more.
        Task {
            _ = try? await task.value
            opened.cancel()
        }
        try? await opened.value
        return task
    }
}
