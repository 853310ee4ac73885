/// Whose turn it is to be used next.
///
/// The numbers come round one after the other, so that a number rests as long as it can. One of which something is left is
/// out of service until an administrator has cleared that away.
public struct TurnPool: Sendable, Equatable {
    public struct Choice: Sendable, Equatable {
        /// Nil if no number is clean: no worker can sign in.
        public var number: TurnNumber?
        /// What was passed over on the way, and why.
        public var outOfService: [TurnNumber: [TurnResidue]]

        public init(number: TurnNumber?, outOfService: [TurnNumber: [TurnResidue]] = [:]) {
            self.number = number
            self.outOfService = outOfService
        }
    }

    private let numbers: [TurnNumber]

    /// - Parameter numbers: In the order in which they come round.
    public init(_ numbers: [TurnNumber] = TurnNumber.all) { self.numbers = numbers }

    /// The first clean number after the last one that was used, which itself comes last.
    ///
    /// - Parameters:
    ///   - last: Nil if none is known to have been used.
    ///   - taken: Nil, or the one of the turn that goes on, which is not even looked at.
    ///   - residue: What is left of a number. It is asked only for those that come before the one that is chosen.
    public func next(
        after last: TurnNumber?, except taken: TurnNumber? = nil, residue: (TurnNumber) -> [TurnResidue]
    ) -> Choice {
        let start = last.flatMap { numbers.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        var passed: [TurnNumber: [TurnResidue]] = [:]
        for number in numbers.suffix(from: start) + numbers.prefix(start) where number != taken {
            let left = residue(number)
            if left.isEmpty { return Choice(number: number, outOfService: passed) }
            passed[number] = left
        }
        return Choice(number: nil, outOfService: passed)
    }
}
