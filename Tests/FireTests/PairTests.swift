import Glibc
import TerminalTesting
import Testing

@Suite("batond killed twice in one round", .serialized)
struct PairTests {
    /// A sample that is the same at each run; `make soak` takes all pairs.
    private static var pairs: [(Int, Int)] {
        let (first, second) =
            getenv("BATON_SOAK") == nil
            ? (Array(stride(from: 3, through: 99, by: 8)), [1, 4, 9, 20]) : (Array(1...120), Array(1...60))
        return first.flatMap { first in second.map { (first, $0) } }
    }

    @Test(.timeLimit(.minutes(getenv("BATON_SOAK") == nil ? 10 : 600)))
    func `a restart that is killed too changes nothing of what was said`() async throws {
        let pairs = Self.pairs
        let both = try await Lanes.run(pairs.count) { fire, place in
            let orders = [fire.order(at: pairs[place].0), fire.order(at: pairs[place].1)]
            let count = try await fire.round(orders)
            let faults = fire.witness.faults
            #expect(faults.isEmpty, "steps \(pairs[place]), \(orders.map(\.stepName)): \(faults)")
            return count == 2
        }
        #expect(both > pairs.count / 2)
        print("batond was killed at \(both) pairs of steps")
    }
}
