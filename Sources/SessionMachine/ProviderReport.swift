public import Vocabulary

/// What came of telling the identity provider that a worker has left.
public struct ProviderReport: Hashable, Sendable, Codable {
    public var outcome: ProviderOutcome
    /// One sentence for people; may be empty.
    public var explanation: String

    public init(_ outcome: ProviderOutcome, explanation: String = "") {
        self.outcome = outcome
        self.explanation = explanation
    }
}
