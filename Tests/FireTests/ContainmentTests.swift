import Baton
import DBus
import Synchronization
import TerminalTesting
import Testing

@Suite("The agent, and batond, killed at every step of a containment", .serialized)
struct ContainmentTests {
    @Test(.timeLimit(.minutes(10))) func `what the receipt says is gone is gone, when the agent was killed`()
        async throws
    {
        try await sweep("baton-agent")
    }

    @Test(.timeLimit(.minutes(10))) func `what the receipt says is gone is gone, when batond was killed`() async throws
    {
        try await sweep("batond", stride: 3)
    }

    /// Where both that killed the app and that knew of its processes are gone, nobody can prove anything any more: then
    /// the device says so and stays shut. It must not say more than is true, and it must not give up without need.
    private func sweep(_ program: String, stride: Int = 1) async throws {
        let contained = Counter()
        let steps = try await Lanes.run(untilNotDue: true) { fire, place in
            fire.endsQuarantine = true
            let order = fire.order(program, at: place * stride + 1)
            let (remains, outcome) = try await fire.containment(order)
            let what = "\(program), step \(order.step), \(order.stepName)"
            #expect(outcome == .contained || outcome == .quarantined, "\(what)")
            if outcome == .contained {
                contained.add()
                #expect(remains.isEmpty, "\(what): \(remains)")
            }
            let faults = fire.witness.faults
            #expect(faults.isEmpty, "\(what): \(faults)")
            return order.wasCarriedOut
        }
        #expect(steps > 12)
        #expect(contained.value > steps / 2)
        print("\(program) was killed at \(steps) steps of a containment; \(contained.value) were proven all the same")
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
}

extension FireTerminal {
    /// A round with an app that cannot clear. Gives what is left of the app, and how the sign-out ended.
    func containment(_ order: Order) async throws -> ([String], Outcome?) {
        try await start()
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
        let outcome = try await desk.receipt(epoch)?.outcome
        let remains = app.remains
        await app.end()
        try await witness.check(desk)
        return (remains, outcome)
    }

    private func beginSignOut(_ epoch: UInt64) async throws -> Task<Receipt?, any Error> {
        let signals = try await desk.signals(Device1.signingOut)
        let task = Task { [desk] in try await desk.signOut(["epoch": .uint64(epoch)]) }
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
