import TerminalTesting
import Testing

@Suite("batond killed twice in one round", .serialized)
struct PairTests {
    /// Over all of a round, whose start, sign-in and sign-out have about 170 steps, and where the sign-out is begun and
    /// not yet written.
    private static let elsewhere: [Kill] =
        stride(from: 3, through: 75, by: 24).map { Kill(step: $0) }
        + [Kill(step: 1, beginning: "in the transaction, after clearing")]
    /// From where the sign-out is in the journal until its end is, whatever their numbers are: so the next batond goes
    /// on with it.
    private static let inBarrier = [
        Kill(step: 1, beginning: "before announce(SessionMachine.Effect.Announcement.signingOut("),
        Kill(step: 1, beginning: "before agent(SessionMachine.Effect.Request.signOutBrowser("),
        // The first is its begin.
        Kill(step: 2, beginning: "in the transaction, after barrier"),
        Kill(step: 3, beginning: "in the transaction, after barrier"),
        // The sign-in writes one for each of the four apps, and each app's word changes its own twice.
        Kill(step: 5, beginning: "in the transaction, after entry"),
        Kill(step: 9, beginning: "in the transaction, after entry"),
        // A registration may have written one or two.
        Kill(step: 3, beginning: "in the transaction, after app"),
        Kill(step: 1, beginning: "before agent(SessionMachine.Effect.Request.clearSharedHolders("),
        Kill(step: 1, beginning: "in the transaction, after ended"),
        Kill(step: 1, beginning: "in the transaction, after rosterCleared"),
    ]
    /// Of a life that begins in the middle of a sign-out, once it has written that it goes on with it: before that
    /// nothing tells that it was there. Its own beginning, the agent's coming and the writing of the sign-out's end are
    /// more than twelve steps.
    private static let goingOn = [
        Kill(step: 1, beginning: "before announce("), Kill(step: 1, beginning: "before agent("),
        Kill(step: 1, beginning: "before reply("), Kill(step: 1, beginning: "in the transaction, after ended"),
        Kill(step: 12),
    ]
    /// The second life begins in the middle of something, and is most interesting there.
    private static let early = [1, 9].map { Kill(step: $0) }

    private struct Kill {
        var step: Int
        var beginning = ""
    }

    /// Each first kill, with another second one each day.
    @Test(.timeLimit(.minutes(10)), .enabled(if: !Soak.isOn, "make soak takes all pairs"))
    func `a restart that is killed too changes nothing of what was said`() async throws {
        let tally = Tally()
        let inBarrier = Self.pairs(of: Self.inBarrier, with: Self.goingOn)
        let pairs = inBarrier + Self.pairs(of: Self.elsewhere, with: Self.early)
        print("the second kills begin with the \(Rotation.day % Self.goingOn.count + 1)th, BATON_DAY=\(Rotation.day)")
        let both = try await Lanes.run(pairs.count) { fire, place in
            try await Self.round(fire, pairs[place].0, pairs[place].1, tally) == 2
        }
        print("batond was killed at \(both) pairs of steps, \(tally.count(Self.twice)) of them in one sign-out")
        #expect(tally.count(Self.first) == pairs.count)
        #expect(both >= pairs.count * 9 / 10)
        // Where all apps had cleared before the first kill, the agent may come before anybody has to be answered.
        #expect(tally.count(Self.twice) >= inBarrier.count * 4 / 5)
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

    private static func pairs(of firsts: [Kill], with seconds: [Kill]) -> [(Kill, Kill)] {
        firsts.enumerated().map { place, first in (first, seconds[(place + Rotation.day) % seconds.count]) }
    }

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
