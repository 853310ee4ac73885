/// What the provider knows of a sign-out.
public struct ProviderSignOut: Sendable, Hashable {
    public enum Outcome: String, Sendable {
        /// Its session is proven to have ended, and the tokens are revoked where it lets this client do so.
        case signedOut
        /// It was asked to end its session and did not refuse; nothing proves that the session ended.
        case told
        /// The tokens are revoked, but it offers no log-out, or its log-out page waits for a person.
        case revoked
        /// It was not reached in time: try again.
        case pending
        /// It said no for good.
        case refused
        /// There was nothing to tell it with.
        case notTold
    }

    public var outcome: Outcome
    /// One plain sentence or two for a receipt; nothing in it comes from the provider.
    public var explanation: String

    public init(_ outcome: Outcome, explanation: String) {
        self.outcome = outcome
        self.explanation = explanation
    }
}
