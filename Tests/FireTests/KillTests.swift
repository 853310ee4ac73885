import TerminalTesting
import Testing

/// Each kind of step, and each day another part of all of them: all of them at once are looked at without processes, by
/// SupervisorTests.
@Suite("batond killed at every kind of step of a round", .serialized)
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

    /// Of the steps that have no name here, one of so many.
    private static let parts = 8

    @Test(.timeLimit(.minutes(Soak.minutes(10))))
    func `what was said stays true, the same barrier goes on, and the apps need no help`() async throws {
        let names = Tally()
        @Sendable func kill(_ fire: FireTerminal, _ order: FireTerminal.Order) async throws -> Bool {
            let round = try await fire.round([order])
            #expect(fire.faults.isEmpty, "step \(order.step), \(order.stepName): \(fire.faults)")
            if round.kills == 1 { names.add(order.stepName) }
            return round.kills == 1
        }
        let named = try await Lanes.run(Self.named.count) { fire, place in
            try await kill(fire, fire.order(at: 1, beginning: Self.named[place]))
        }
        let numbered = try await Lanes.run(untilNotDue: true) { fire, place in
            try await kill(fire, fire.order(at: Rotation.step(place, of: Self.parts)))
        }
        print("batond was killed at \(named) steps by name and at \(numbered) more: \(Rotation.text(Self.parts))")
        #expect(names.missing(Self.named) == [], "\(names.names)")
        // Fewer would be a switch that does not work. How many there are is up to the disk: on a slow one, more is written at
        // a time.
        #expect(numbered > (Soak.isOn ? 100 : 100 / Self.parts))
    }
}
