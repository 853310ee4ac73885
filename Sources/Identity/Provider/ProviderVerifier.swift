public import Secrets

/// Everything that is verified about one provider, with one discovery and one set of keys.
public struct ProviderVerifier: Sendable {
    public let settings: ClientSettings
    public let discovery: Discovery
    public let idTokens: IDTokenVerifier
    public let logoutTokens: LogoutTokenVerifier
    public let userInfo: UserInfo

    public init(settings: ClientSettings, http: any HTTPExchange, clock: IdentityClock) {
        self.settings = settings
        discovery = Discovery(authority: settings.authority, http: http, clock: clock)
        let keys = KeySet(discovery: discovery, http: http, clock: clock)
        idTokens = IDTokenVerifier(discovery: discovery, keys: keys, clock: clock)
        logoutTokens = LogoutTokenVerifier(
            clientID: settings.clientID, discovery: discovery, keys: keys, clock: clock)
        userInfo = UserInfo(discovery: discovery, http: http)
    }

    public func metadata(forceRefresh: Bool) async throws(IdentityError) -> ProviderMetadata {
        try await discovery.metadata(forceRefresh: forceRefresh)
    }

    public func verify(
        _ idToken: Secret, expecting: IDTokenExpectation
    ) async throws(IdentityError) -> VerifiedIDToken {
        try await idTokens.verify(idToken, expecting: expecting)
    }

    public func userinfo(
        _ accessToken: Secret, correlationID: String
    ) async throws(IdentityError) -> VerifiedIDToken {
        try await userInfo.answer(accessToken: accessToken, correlationID: correlationID)
    }

    /// - Throws: `accountNotAllowed`.
    public func check(_ worker: VerifiedIDToken) async throws(IdentityError) {
        try AccountRule().check(worker.identity, claims: worker.claims, settings: settings)
    }

    public func verifyLogoutToken(_ token: String) async throws(IdentityError) -> LogoutNotice {
        try await logoutTokens.verifyLogoutToken(token)
    }
}
