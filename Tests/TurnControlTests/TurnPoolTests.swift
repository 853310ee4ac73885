import Testing
import TurnControl

@Suite("The numbers of turns")
struct TurnPoolTests {
    private static let three = (0..<3).compactMap { TurnNumber($0) }

    @Test func `the one whose turn goes on is neither chosen nor looked at`() {
        var looked: [TurnNumber] = []
        let choice = TurnPool(Self.three).next(after: Self.three[0], except: Self.three[1]) { number in
            looked.append(number)
            return [.linger]
        }
        #expect(choice.number == nil)
        #expect(looked == [Self.three[2], Self.three[0]])
    }

    @Test func `there are none below zero and none above the last`() {
        #expect(TurnNumber(-1) == nil && TurnNumber(TurnNumber.count) == nil)
        #expect(TurnNumber.all.count == TurnNumber.count)
        #expect(TurnNumber.all.last?.user == "baton-turn-\(TurnNumber.count - 1)")
    }

    @Test func `they come round one after the other, and the last one comes last`() throws {
        let pool = TurnPool(Self.three)
        var last: TurnNumber?
        var used: [Int] = []
        for _ in 0..<7 {
            last = pool.next(after: last) { _ in [] }.number
            used.append(try #require(last).index)
        }
        #expect(used == [0, 1, 2, 0, 1, 2, 0])
    }

    @Test func `one of which something is left is passed over, and named with what that is`() {
        let choice = TurnPool(Self.three).next(after: Self.three[0]) { $0.index == 1 ? [.linger] : [] }
        #expect(choice == .init(number: Self.three[2], outOfService: [Self.three[1]: [.linger]]))
    }

    @Test func `the last one is used again if it alone is clean`() {
        let choice = TurnPool(Self.three).next(after: Self.three[1]) { $0.index == 1 ? [] : [.keys(1)] }
        #expect(choice.number == Self.three[1] && choice.outOfService.count == 2)
    }

    @Test func `without a clean one there is none`() {
        let choice = TurnPool(Self.three).next(after: nil) { _ in [.unknown(what: "/proc")] }
        #expect(choice.number == nil && choice.outOfService.count == 3)
    }

    @Test func `one that the pool has not is as none at all`() {
        #expect(TurnPool(Self.three).next(after: TurnNumber(9)) { _ in [] }.number == Self.three[0])
    }
}
