/// What came of telling the identity provider that a worker has left.
public enum ProviderOutcome: String, Hashable, Sendable, Codable, CaseIterable {
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
