import TerminalTesting
import Testing

@Suite("batond killed at every step of a round", .serialized)
struct KillTests {
    /// Whatever the machine does first, a round comes by these.
    private static let named = [
        "before writing", "after writing", "after the transaction", "after the effects",
        "in the transaction, after began", "in the transaction, after device", "in the transaction, after registration",
        "in the transaction, after app", "in the transaction, after clearing", "in the transaction, after entry",
        "in the transaction, after barrier", "in the transaction, after ended",
        "in the transaction, after rosterCleared",
        "after the epoch file has the next epoch", "after the epoch file said how far the epoch has come",
        "PIN: before a try is counted", "PIN: after a try was counted", "PIN: before the tries are forgotten",
        "PIN: after the tries were forgotten", "before publish", "before reply", "before announce(",
        "before agent(", "before authenticate(",
    ]

    @Test(.timeLimit(.minutes(10)))
    func `what was said stays true, the same barrier goes on, and the apps need no help`() async throws {
        let names = Tally()
        let steps = try await Lanes.run(untilNotDue: true) { fire, place in
            let order = fire.order(at: place + 1)
            let round = try await fire.round([order])
            let faults = fire.faults
            #expect(faults.isEmpty, "step \(place + 1), \(order.stepName): \(faults)")
            if round.kills == 1 { names.add(order.stepName) }
            return round.kills == 1
        }
        // What is done at the same time has no order of its own, so that a number may pass over a step.
        let missing = names.missing(Self.named)
        _ = try await Lanes.run(missing.count) { fire, place in
            let order = fire.order(at: 1, beginning: missing[place])
            let round = try await fire.round([order])
            #expect(fire.faults.isEmpty, "\(missing[place]): \(fire.faults)")
            if round.kills == 1 { names.add(order.stepName) }
            return round.kills == 1
        }
        // Fewer would be a switch that does not work. How many there are is up to the disk: on a slow one, more is written at
        // a time.
        #expect(steps > 100)
        #expect(names.missing(Self.named) == [], "\(names.names)")
        print("batond was killed at \(steps) steps")
    }
}
