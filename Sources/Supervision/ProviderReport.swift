/// What came of telling the identity provider that a worker has left.
public struct ProviderReport: Hashable, Sendable, Codable {
    public enum Outcome: String, Hashable, Sendable, Codable {
        /// There is no provider to tell: local accounts.
        case none
        /// The worker's session at the provider is proven to have ended, and what could be revoked is revoked.
        case signedOut = "signed-out"
        /// The provider was asked to end the session and did not refuse; nothing proves that the session ended.
        case told
        /// The tokens are revoked; whether the session at the provider ended, its page would have to say.
        case revoked
        /// It could not be reached in time. The supervisor goes on trying while it lives.
        case pending
        /// The provider said no.
        case refused
        /// The supervisor holds nothing that it could tell the provider with, as after a restart.
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
