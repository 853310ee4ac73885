public import Secrets

/// Verifies ID tokens; no claim is looked at before the signature has proved genuine.
public struct IDTokenVerifier: Sendable {
    private let discovery: Discovery
    private let keys: KeySet
    private let clock: IdentityClock

    public init(discovery: Discovery, keys: KeySet, clock: IdentityClock) {
        self.discovery = discovery
        self.keys = keys
        self.clock = clock
    }

    /// - Throws: `notTrusted` with the rule that the token breaks, or why the provider's keys could not be read.
    public func verify(
        _ idToken: Secret, expecting: IDTokenExpectation
    ) async throws(IdentityError) -> VerifiedIDToken {
        let token = try SignedToken(idToken.withUnsafeBytes { Array($0) })
        let metadata = try await discovery.metadata()
        let verified = try await keys.verify(token)
        let rules = IDTokenRules(authority: discovery.authority, metadata: metadata, now: clock.seconds())
        return try rules.check(verified, expecting: expecting)
    }
}
