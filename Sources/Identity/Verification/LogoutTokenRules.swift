import WebText

/// The rules for a logout token whose signature was verified: OpenID Connect Back-Channel Logout 1.0, section 2.6.
struct LogoutTokenRules: Sendable {
    /// How old a token without `exp` may be, in seconds; real senders leave it out.
    static let longestAge: Int64 = 300
    /// How long a token may be good at all, in seconds, so that what was seen once can be forgotten.
    static let longestLife: Int64 = 24 * 3600

    /// What a good token says, and how long its id must be remembered.
    struct AcceptedToken: Sendable {
        var notice: LogoutNotice
        var id: String
        /// Unix time in seconds: from then on the token is refused as too old.
        var rememberUntil: Int64
    }

    let authority: Authority
    let metadata: ProviderMetadata
    let clientID: String
    /// The Unix time in seconds.
    let now: Int64

    func check(_ verified: VerifiedToken) throws(IdentityError) -> AcceptedToken {
        let token = verified.token
        let claims = TokenClaims(claims: try verified.claims(), now: now)
        guard token.type == nil || token.type == "jwt" || token.type == "logout+jwt" else {
            throw TokenClaims.fault("it is not a logout token")
        }
        guard claims.logoutEvent?.object != nil else { throw TokenClaims.fault("it announces no log-out") }
        // What has a nonce was made for a sign-in.
        guard claims.claims["nonce"] == nil else { throw TokenClaims.fault("it has a nonce") }
        let issuer = try claims.checkIssuer(authority, metadata, of: verified)
        try claims.checkAudience(clientID)
        try claims.checkNotBefore()
        let end = try end(of: claims)
        guard let id = try claims.identifier("jti") else { throw TokenClaims.fault("it has no id") }
        let notice = LogoutNotice(
            issuer: issuer, subject: try claims.identifier("sub"), sessionID: try claims.identifier("sid"))
        guard let notice else { throw TokenClaims.fault("it names neither a session nor a worker") }
        return AcceptedToken(notice: notice, id: id, rememberUntil: end)
    }

    private func end(of claims: TokenClaims) throws(IdentityError) -> Int64 {
        let issued = try claims.issuedAt()
        let expiry = try claims.expiry()
        let end = min(expiry ?? issued + Self.longestAge, issued + Self.longestLife) + TokenClaims.skew
        guard end > now else { throw TokenClaims.fault("it is too old") }
        return end
    }
}
