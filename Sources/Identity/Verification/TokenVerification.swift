import Secrets

/// What the flows ask of discovery, the keys and the account rule.
protocol TokenVerification: Sendable {
    func metadata(forceRefresh: Bool) async throws(IdentityError) -> ProviderMetadata
    func verify(_ idToken: Secret, expecting: IDTokenExpectation) async throws(IdentityError) -> VerifiedIDToken
    /// Who the access token is for, as the userinfo endpoint says; for providers that send no ID token.
    func userinfo(_ accessToken: Secret, correlationID: String) async throws(IdentityError) -> VerifiedIDToken
    /// - Throws: `accountNotAllowed`.
    func check(_ worker: VerifiedIDToken) async throws(IdentityError)
    func verifyLogoutToken(_ token: String) async throws(IdentityError) -> LogoutNotice
}

extension ProviderVerifier: TokenVerification {}
