/// What came of telling the identity provider that a worker has left.
public struct ProviderReport: Hashable, Sendable, Codable {
    public enum Outcome: String, Hashable, Sendable, Codable {
        /// There is no provider to tell: local accounts.
        case none
        /// The provider ended the worker's session there, and what could be revoked is revoked.
        case signedOut = "signed-out"
        /// The tokens are revoked; whether the session at the provider ended, its page would have to say.
        case revoked
        /// It could not be reached in time. The supervisor goes on trying while it lives.
        case pending
        /// The provider said no.
        case refused
        /// The supervisor was restarted and holds nothing that it could tell the provider with.
        case notTold = "not-told"
    }

    public var outcome: Outcome
    /// One sentence for people; may be empty.
    public var explanation: String

    public init(_ outcome: Outcome, explanation: String = "") {
        self.outcome = outcome
        self.explanation = explanation
    }
}
