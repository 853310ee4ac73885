public import Vocabulary

/// What came of telling the identity provider that a worker has left.
public struct ProviderReport: Hashable, Sendable, Codable {
    public var outcome: ProviderOutcome
    public var explanation: Explanation

    public init(_ outcome: ProviderOutcome, explanation: Explanation = []) {
        self.outcome = outcome
        self.explanation = explanation
    }

    /// - Parameter said: One sentence of the provider's side for people; may be empty.
    public init(_ outcome: ProviderOutcome, said: String) { self.init(outcome, explanation: Explanation(said: said)) }
}
