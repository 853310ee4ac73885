import TerminalTesting
import Testing

@Suite("batond killed twice in one round", .serialized)
struct PairTests {
    /// Over all of a round, whose start, sign-in and sign-out have about 170 steps; the first 50 are of the start.
    private static let firsts = stride(from: 3, through: 99, by: 12).map { Kill(step: $0) }
    /// In the barrier itself, whatever their numbers are.
    private static let inBarrier = [
        "before announce(", "in the transaction, after barrier", "in the transaction, after entry",
        "in the transaction, after clearing", "in the transaction, after ended", "before agent(",
    ].map { Kill(step: 1, beginning: $0) }
    /// The second life begins in the middle of something, and is most interesting there.
    private static let seconds = [1, 4, 9, 20].map { Kill(step: $0) }

    private struct Kill {
        var step: Int
        var beginning = ""
    }

    @Test(.timeLimit(.minutes(10)), .enabled(if: !Soak.isOn, "make soak takes all pairs"))
    func `a restart that is killed too changes nothing of what was said`() async throws {
        let tally = Tally()
        let pairs = (Self.firsts + Self.inBarrier).flatMap { first in Self.seconds.map { (first, $0) } }
        let both = try await Lanes.run(pairs.count) { fire, place in
            try await Self.round(fire, pairs[place].0, pairs[place].1, tally) == 2
        }
        print("batond was killed at \(both) pairs of steps, \(tally.count(Self.twice)) of them in one sign-out")
        #expect(tally.count(Self.first) == pairs.count)
        #expect(both >= pairs.count * 9 / 10)
        #expect(tally.count(Self.twice) >= Self.inBarrier.count * Self.seconds.count / 2)
    }

    @Test(.timeLimit(.minutes(Soak.minutes(10))), .enabled(if: Soak.isOn, "takes hours"))
    func `all pairs of steps of a round change nothing of what was said`() async throws {
        let tally = Tally()
        let progress = Progress(of: nil)
        // Each lane takes a first step, and all that can be the second one after it.
        let firsts = try await Lanes.run(untilNotDue: true, progress: progress) { fire, place in
            var second = 0
            var kills = 2
            while kills == 2, fire.faults.isEmpty {
                second += 1
                kills = try await Self.round(fire, Kill(step: place + 1), Kill(step: second), tally)
                progress.step()
            }
            progress.say("after step \(place + 1) batond was killed at \(second - 1) steps more")
            return kills > 0
        }
        print("batond was killed at \(firsts) steps, \(tally.count(Self.twice)) times twice in one sign-out")
        #expect(firsts > 100)
        #expect(tally.count(Self.twice) > 1000)
    }

    private static let first = "first"
    private static let twice = "twice in one sign-out"

    private static func round(_ fire: FireTerminal, _ first: Kill, _ second: Kill, _ tally: Tally) async throws -> Int {
        let orders = [first, second].map { fire.order(at: $0.step, beginning: $0.beginning) }
        let round = try await fire.round(orders)
        let faults = fire.faults
        #expect(faults.isEmpty, "\(orders.map { "\($0.step): \($0.stepName)" }): \(faults)")
        if orders[0].wasCarriedOut { tally.add(Self.first) }
        if round.restarts == 2 { tally.add(Self.twice) }
        return round.kills
    }
}
