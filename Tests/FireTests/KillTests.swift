import TerminalTesting
import Testing

@Suite("batond killed at every step of a round", .serialized)
struct KillTests {
    @Test(.timeLimit(.minutes(10)))
    func `what was said stays true, the same barrier goes on, and the apps need no help`() async throws {
        let steps = try await Lanes.run(untilNotDue: true) { fire, place in
            let order = fire.order(at: place + 1)
            let count = try await fire.round([order])
            let faults = fire.witness.faults
            #expect(faults.isEmpty, "step \(place + 1), \(order.stepName): \(faults)")
            return count == 1
        }
        // Fewer would be a switch that does not work.
        #expect(steps > 60)
        print("batond was killed at \(steps) steps")
    }
}
