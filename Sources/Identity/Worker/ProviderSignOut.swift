public import Vocabulary

/// What the provider knows of a sign-out.
public struct ProviderSignOut: Sendable, Hashable {
    public var outcome: ProviderOutcome
    /// One plain sentence or two for a receipt; nothing in it comes from the provider.
    public var explanation: String

    public init(_ outcome: ProviderOutcome, explanation: String) {
        self.outcome = outcome
        self.explanation = explanation
    }
}
