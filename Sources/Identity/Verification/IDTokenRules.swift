import Secrets
import WebText

/// The rules for an ID token whose signature was verified: OpenID Connect Core, sections 3.1.3.7 and 12.2.
struct IDTokenRules: Sendable {
    let authority: Authority
    let metadata: ProviderMetadata
    /// The Unix time in seconds.
    let now: Int64

    func check(
        _ verified: VerifiedToken, expecting: IDTokenExpectation
    ) throws(IdentityError) -> VerifiedIDToken {
        let token = verified.token
        let claims = TokenClaims(claims: try verified.claims(), now: now)
        try checkType(token, claims)
        let issuer = try claims.checkIssuer(authority, metadata, of: verified)
        // The policies of a B2C tenant share issuer and keys, but not what they demand of the person who signs in.
        if let policy = authority.policy, let named = claims.claims["tfp"],
            named.string?.lowercased() != policy.lowercased()
        {
            throw TokenClaims.fault("it is from another policy")
        }
        try checkParties(claims, clientID: expecting.clientID)
        try checkTimes(claims, maxAge: expecting.maxAge)
        if let nonce = expecting.nonce, claims.claims["nonce"] != .string(nonce) {
            throw TokenClaims.fault("its nonce is not the one of this sign-in")
        }
        try checkHash("at_hash", of: expecting.accessToken.map { $0.withUnsafeBytes { Array($0) } }, token, claims)
        try checkHash("c_hash", of: expecting.code.map { Array($0.utf8) }, token, claims)
        guard let subject = try claims.identifier("sub") else { throw TokenClaims.fault("it names no subject") }
        if let wanted = expecting.subject, wanted != subject {
            throw TokenClaims.fault("its subject is another account")
        }
        return VerifiedIDToken(
            claims: claims.claims,
            identity: WorkerIdentity(issuer: issuer, subject: subject, claims: claims.claims, authority: authority))
    }

    /// A provider signs other things with the same keys; none of them may pass for an ID token.
    private func checkType(_ token: SignedToken, _ claims: TokenClaims) throws(IdentityError) {
        let type = claims.claims["typ"]?.string?.lowercased()
        let isOther = ["bearer", "refresh", "offline", "logout"].contains(type) || claims.logoutEvent != nil
        guard token.type == nil || token.type == "jwt", !isOther else {
            throw TokenClaims.fault("it is not an ID token")
        }
    }

    private func checkParties(_ claims: TokenClaims, clientID: String) throws(IdentityError) {
        let isForUsAlone = try claims.checkAudience(clientID)
        let party = claims.claims["azp"]
        guard party == .string(clientID) || (party == nil && isForUsAlone) else {
            throw TokenClaims.fault("it was made for another client")
        }
    }

    private func checkTimes(_ claims: TokenClaims, maxAge: Int64?) throws(IdentityError) {
        // It has been made just now.
        if let made = try claims.date("iat") {
            let isOver = try claims.date("exp").map { $0 <= now - TokenClaims.skew } ?? false
            guard made <= now + TokenClaims.skew, !isOver || made >= now - TokenClaims.skew else {
                throw IdentityError(.clocksDiffer(seconds: made - now))
            }
        }
        guard try claims.expiry() != nil else { throw TokenClaims.fault("it does not say when it expires") }
        _ = try claims.issuedAt()
        try claims.checkNotBefore()
        guard let maxAge else { return }
        guard let shown = try claims.date("auth_time") else {
            throw TokenClaims.fault("it does not say when the worker signed in")
        }
        guard shown <= now + TokenClaims.skew else { throw TokenClaims.fault("the sign-in lies in the future") }
        guard now - shown <= min(max(maxAge, 0), 1 << 48) + TokenClaims.skew else {
            throw TokenClaims.fault("the worker signed in too long ago")
        }
    }

    private func checkHash(
        _ name: String, of bytes: [UInt8]?, _ token: SignedToken, _ claims: TokenClaims
    ) throws(IdentityError) {
        guard let bytes, let value = claims.claims[name] else { return }
        guard value == .string(token.algorithm.halfHash(of: bytes)) else {
            throw TokenClaims.fault("\(name) does not match")
        }
    }
}
