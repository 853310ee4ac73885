public import LinuxSystem
public import Vocabulary
public import Wiping

/// What containing one app came to, in the words of the bus contract.
public struct ContainmentReport: Sendable, Equatable {
    public var outcome: ContainmentOutcome
    /// How its processes were found: by `pid`, the connections' processes and their descendants.
    public var proof: Proof?
    /// Short plain text for the receipt; empty when there is nothing to say.
    public var explanation: String

    public init(outcome: ContainmentOutcome, proof: Proof?, explanation: String) {
        self.outcome = outcome
        self.proof = proof
        self.explanation = explanation
    }

    /// Joins what stopping and wiping found; without wipes the best outcome is `stopped`.
    public init(stop: StopReport, wipes: [WipeReport]?) {
        let faults = (stop.explanation.map { [$0] } ?? []) + (wipes ?? []).compactMap(\.explanation)
        proof = Proof.pid
        explanation = faults.joined(separator: "; ")
        outcome = !faults.isEmpty ? .failed : wipes == nil ? .stopped : .contained
    }
}
