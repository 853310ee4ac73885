import Crypto
import WebText

extension AuthorizationServer {
    /// The ID token (OpenID Connect Core, section 2) with each kind's own claims, and with what is wrong on demand.
    func idToken(
        _ grant: Grant, _ account: DevelopmentAccount, _ client: DevelopmentClient, nonce: String?, access: String?,
        isRefresh: Bool
    ) throws(OAuthFault) -> String {
        let tenant = tenants.tenant(of: account)
        let issued =
            Int64(now) &+ (misconduct.contains(.futureToken) ? 3600 : misconduct.contains(.expiredToken) ? -7200 : 0)
        let isExpired = misconduct.contains(.expiredToken)
        var claims = profile(account, scopes: grant.scopes)
        claims["iss"] = .string(
            misconduct.contains(.wrongIssuer) ? "https://issuer.example" : tenants.issuer(base, tenant: tenant))
        claims["sub"] = .string(account.stableSubject)
        claims["iat"] = .integer(issued)
        let lifetime = misconduct.contains(.clockBehind) ? 600 : Int64(options.idTokenLifetime)
        claims["exp"] = .integer(issued &+ (isExpired ? 3600 : lifetime))
        claims["aud"] = audience(client)
        if misconduct.contains(.audienceList) { claims["azp"] = .string(client.id) }
        if let nonce { claims["nonce"] = .string(misconduct.contains(.wrongNonce) ? Unguessable.text() : nonce) }
        if !misconduct.contains(.noAuthTime) {
            claims["auth_time"] = .integer(Int64(grant.authTime) &- (misconduct.contains(.oldAuthTime) ? 86_400 : 0))
        }
        if !misconduct.contains(.noSessionID) { claims["sid"] = .string(grant.sessionID) }
        if let access {
            let hashed = misconduct.contains(.wrongAccessTokenHash) ? Unguessable.text() : access
            claims["at_hash"] = .string(Base64URL.encode(SHA256.hash(data: Array(hashed.utf8)).prefix(16)))
        }
        addKindClaims(&claims, account, tenant: tenant, grant)
        if isRefresh, misconduct.contains(.otherSubjectOnRefresh) { claims["sub"] = "another-subject" }
        if misconduct.contains(.hostileClaims) {
            let kept: Set<String> = ["iss", "sub", "aud", "azp", "exp", "iat", "nbf", "nonce", "at_hash"]
            if case .object(let odd) = HostileJSON.corrupt(.object(claims.filter { !kept.contains($0.key) })) {
                claims.merge(odd) { _, odd in odd }
            }
        }
        return try sign(.object(claims), algorithm: client.signingAlgorithm, flaw: flaw)
    }

    private var flaw: TokenSigning.Flaw? {
        if misconduct.contains(.wrongSignature) { return .brokenSignature }
        if misconduct.contains(.unknownKey) { return .unknownKey }
        if misconduct.contains(.algorithmNone) { return .unsigned }
        return misconduct.contains(.symmetricAlgorithm) ? .symmetric : nil
    }

    private func audience(_ client: DevelopmentClient) -> JSONValue {
        if misconduct.contains(.wrongAudience) { return "another-client" }
        if misconduct.contains(.audienceList) || misconduct.contains(.audienceListWithoutParty) {
            return [.string(client.id), "another-client"]
        }
        return .string(client.id)
    }

    /// The claims that tell people who it is, by scope (OpenID Connect Core, section 5.4).
    func profile(_ account: DevelopmentAccount, scopes: [String]) -> [String: JSONValue] {
        var claims: [String: JSONValue] = [:]
        if scopes.contains("profile") {
            claims["name"] = .string(account.name)
            claims["preferred_username"] = .string(account.username)
            if let locale = account.locale { claims["locale"] = .string(locale) }
        }
        if scopes.contains("email"), let email = account.email {
            claims["email"] = .string(email)
            claims["email_verified"] = true
        }
        return claims
    }

    private func addKindClaims(
        _ claims: inout [String: JSONValue], _ account: DevelopmentAccount, tenant: String, _ grant: Grant
    ) {
        claims["amr"] = ["pwd"]
        switch layout.kind {
        case .openid:
            claims["acr"] = "1"
            if account.objectID != nil { claims["oid"] = .string(account.stableObjectID) }
            if let tenant = account.tenantID { claims["tid"] = .string(tenant) }
        case .entra, .external:
            claims["ver"] = "2.0"
            claims["oid"] = .string(account.stableObjectID)
            claims["tid"] = .string(tenant)
            claims["nbf"] = claims["iat"]
            claims["uti"] = .string(Base64URL.encode(Unguessable.bytes(16)))
            claims.merge(optionalClaims(account, tenant: tenant)) { $1 }
        case .b2c:
            claims["ver"] = "1.0"
            claims["oid"] = .string(account.stableObjectID)
            claims["nbf"] = claims["iat"]
            claims["tfp"] = .string(grant.route.policy?.lowercased() ?? "")
        case .adfs:
            claims["upn"] = .string(account.email ?? account.username)
            claims["unique_name"] = .string("WARD\\\(account.username)")
            claims["appid"] = .string(grant.clientID)
        }
    }

    func sign(
        _ claims: JSONValue, algorithm: SigningAlgorithm = .rs256, type: String = "JWT", flaw: TokenSigning.Flaw? = nil
    ) throws(OAuthFault) -> String {
        do {
            return try TokenSigning(keys: keys, algorithm: algorithm, type: type, flaw: flaw).sign(claims)
        } catch {
            throw OAuthFault("server_error", "The token could not be signed.", status: 500)
        }
    }
}
