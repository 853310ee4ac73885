import TerminalTesting
import Testing

@Suite("batond killed at every step of a round", .serialized)
struct KillTests {
    /// Terminals that are worked on beside each other, since a round waits more than it works.
    private static let lanes = 3

    @Test(.timeLimit(.minutes(10)))
    func `what was said stays true, the same barrier goes on, and the apps need no help`() async throws {
        let steps = try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 1...Self.lanes {
                group.addTask {
                    let fire = try await FireTerminal()
                    var (step, steps) = (lane, 0)
                    while true {
                        let order = fire.order(at: step)
                        guard try await fire.round([order]) == 1 else { break }
                        let faults = fire.witness.faults
                        #expect(faults.isEmpty, "step \(step), \(order.stepName): \(faults)")
                        if !faults.isEmpty { break }
                        steps += 1
                        step += Self.lanes
                    }
                    await fire.end()
                    return steps
                }
            }
            return try await group.reduce(0, +)
        }
        // Fewer would be a switch that does not work.
        #expect(steps > 60)
        print("batond was killed at \(steps) steps")
    }
}
