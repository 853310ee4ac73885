public import Processes
public import Wiping

/// What containing one app came to, in the words of the bus contract.
public struct ContainmentReport: Sendable, Equatable {
    public enum Outcome: String, Sendable {
        /// Nothing of it runs and its directories were looked at again and are empty.
        case contained
        /// Nothing of it runs; nobody knows where its data lies.
        case stopped
        /// Something runs or lies about still, or may.
        case failed
    }

    public var outcome: Outcome
    /// How its processes were found: `pid`, the connections' processes and their descendants.
    public var proof: String
    /// Short plain text for the receipt; empty when there is nothing to say.
    public var explanation: String

    public init(outcome: Outcome, proof: String, explanation: String) {
        self.outcome = outcome
        self.proof = proof
        self.explanation = explanation
    }

    /// Joins what stopping and wiping found; without wipes the best outcome is `stopped`.
    public init(stop: StopReport, wipes: [WipeReport]?) {
        let faults = (stop.explanation.map { [$0] } ?? []) + (wipes ?? []).compactMap(\.explanation)
        proof = ProcessTree.proof
        explanation = faults.joined(separator: "; ")
        outcome = !faults.isEmpty ? .failed : wipes == nil ? .stopped : .contained
    }
}
