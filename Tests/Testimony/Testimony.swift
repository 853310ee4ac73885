public import Vocabulary

/// What listeners were told of the turns, checked against what they are told later and against the receipts: a statement must
/// stay true, whatever is killed.
public struct Testimony: Sendable {
    /// What a receipt says of its turn.
    public struct Written: Sendable {
        public var worker: String?
        public var outcome: String

        public init(worker: String?, outcome: String) {
            self.worker = worker
            self.outcome = outcome
        }
    }

    private var workers: [Epoch: String] = [:]
    /// How turns were said to have ended.
    public private(set) var outcomes: [Epoch: String] = [:]
    /// The last that a caller heard of where the device stands.
    private var last: (epoch: Epoch, rank: Int, phase: String) = (0, 0, "")
    /// Turns that were heard to have begun.
    public private(set) var begun: Set<Epoch> = []
    public private(set) var faults: [String] = []

    public init() {}

    public mutating func note(_ fault: String) { faults.append(fault) }

    public mutating func began(_ epoch: Epoch, _ worker: String?) {
        begun.insert(epoch)
        guard let worker else { return }
        if let earlier = workers.updateValue(worker, forKey: epoch), earlier != worker {
            note("turn \(epoch) was \(earlier)'s and then \(worker)'s")
        }
    }

    /// - Parameter holding: The apps that hold data of that turn. Before the next worker's data is anywhere, that of this one is
    ///   nowhere.
    public mutating func ended(_ epoch: Epoch, _ outcome: String, holding: [String]) {
        if ["cleared", "contained"].contains(outcome), !holding.isEmpty {
            note("turn \(epoch) was said to be \(outcome), and \(holding) held its data")
        }
        if let earlier = outcomes.updateValue(outcome, forKey: epoch), earlier != outcome {
            note("turn \(epoch) ended \(earlier) and then \(outcome)")
        }
    }

    public mutating func stands(_ epoch: Epoch, _ phase: String) {
        let rank = ["in-use": 1, "clearing": 2, "quarantined": 3, "ready": 4, "signing-in": 4][phase] ?? 0
        if (epoch, rank) < (last.epoch, last.rank) { note("first \(last), then \((epoch, rank, phase))") }
        last = (epoch, rank, phase)
    }

    /// Each of these turns has the receipt that was heard of. Forgets all turns.
    public mutating func check(_ turns: Set<Epoch>, _ receipts: [Epoch: Written]) {
        for epoch in turns.sorted() {
            guard let receipt = receipts[epoch] else {
                note("turn \(epoch) was begun and has no receipt")
                continue
            }
            if let heard = outcomes[epoch], heard != receipt.outcome {
                note("turn \(epoch) ended \(heard), and its receipt says \(receipt.outcome)")
            }
            if let worker = workers[epoch], receipt.worker != worker {
                note("turn \(epoch) was \(worker)'s, and its receipt says \(receipt.worker ?? "nobody")")
            }
        }
        for epoch in outcomes.keys.sorted() where !begun.contains(epoch) { note("turn \(epoch) ended and never began") }
        begun = []
        outcomes = [:]
    }
}
