/// Verifies logout tokens; each of them counts once.
public actor LogoutTokenVerifier {
    /// How many token ids are remembered; only the provider's own signed tokens get that far.
    private let capacity: Int

    private let discovery: Discovery
    private let keys: KeySet
    private let clock: IdentityClock
    private let clientID: String
    /// When each token becomes too old to come again.
    private(set) var seen: [String: Int64] = [:]

    public init(
        clientID: String, discovery: Discovery, keys: KeySet, clock: IdentityClock, capacity: Int = 4096
    ) {
        self.clientID = clientID
        self.capacity = capacity
        self.discovery = discovery
        self.keys = keys
        self.clock = clock
    }

    /// - Throws: `notTrusted` with the rule that the token breaks, or why the provider's keys could not be read.
    public func verifyLogoutToken(_ token: String) async throws(IdentityError) -> LogoutNotice {
        let token = try SignedToken(Array(token.utf8.prefix(SignedToken.largest + 1)))
        let metadata = try await discovery.metadata()
        let verified = try await keys.verify(token)
        let now = clock.seconds()
        let rules = LogoutTokenRules(
            authority: discovery.authority, metadata: metadata, clientID: clientID, now: now)
        let outcome = try rules.check(verified)
        try remember(outcome, at: now)
        return outcome.notice
    }

    private func remember(_ outcome: LogoutTokenRules.AcceptedToken, at now: Int64) throws(IdentityError) {
        let id = "\(outcome.notice.issuer) \(outcome.id)"
        if let end = seen[id], end > now { throw TokenClaims.fault("it was used before") }
        if seen.count >= capacity {
            seen = seen.filter { $0.value > now }
            // Still full of young ones: the one that would be forgotten first.
            if seen.count >= capacity, let oldest = seen.min(by: { $0.value < $1.value }) {
                seen.removeValue(forKey: oldest.key)
            }
        }
        seen[id] = outcome.rememberUntil
    }
}
