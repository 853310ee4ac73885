import WebText

/// What a verified token says, looked at with the rules that ID tokens and logout tokens share.
struct TokenClaims: Sendable {
    /// How far the provider's clock and this one may be apart, in seconds.
    static let skew: Int64 = 120

    let claims: [String: JSONValue]
    /// The Unix time in seconds.
    let now: Int64

    static func fault(_ rule: String) -> IdentityError {
        IdentityError(.notTrusted(what: "the token is refused: \(rule)"))
    }

    /// An identifier; nil when absent.
    func identifier(_ name: String) throws(IdentityError) -> String? {
        guard let value = claims[name] else { return nil }
        guard let text = IdentityText.identifier(value.string) else { throw Self.fault("\(name) is not an identifier") }
        return text
    }

    /// A time in Unix seconds; nil when absent.
    func date(_ name: String) throws(IdentityError) -> Int64? {
        guard let value = claims[name] else { return nil }
        guard let date = value.date, (0...(1 << 48)).contains(date) else { throw Self.fault("\(name) is not a time") }
        return date
    }

    /// - Parameter verified: The token; Entra ID's keys may each sign for some issuers only.
    func checkIssuer(
        _ authority: Authority, _ metadata: ProviderMetadata, of verified: VerifiedToken
    ) throws(IdentityError) -> String {
        guard let issuer = claims["iss"]?.string else { throw Self.fault("it names no issuer") }
        let tenant = claims["tid"]?.string
        guard authority.accepts(tokenIssuer: issuer, tenant: tenant, metadata: metadata) else {
            throw Self.fault("it is from another issuer")
        }
        let isRight = verified.keyIssuers.contains { authority.accepts(keyIssuer: $0, of: issuer, tenant: tenant) }
        guard isRight else { throw Self.fault("its key is for another issuer") }
        return issuer
    }

    /// The audience is this client; returns whether it is this client alone.
    @discardableResult
    func checkAudience(_ clientID: String) throws(IdentityError) -> Bool {
        switch claims["aud"] {
        case .string(let audience) where audience == clientID: return true
        case .array(let list) where list.count <= 16 && list.contains(.string(clientID)):
            return list.allSatisfy { $0 == .string(clientID) }
        default: throw Self.fault("its audience is another client")
        }
    }

    func checkNotBefore() throws(IdentityError) {
        if let start = try date("nbf"), start > now + Self.skew { throw Self.fault("it is not yet valid") }
    }

    func issuedAt() throws(IdentityError) -> Int64 {
        guard let issued = try date("iat") else { throw Self.fault("it does not say when it was made") }
        guard issued <= now + Self.skew else { throw Self.fault("it was made in the future") }
        return issued
    }

    /// `exp`, when it lies in the future; nil when absent.
    func expiry() throws(IdentityError) -> Int64? {
        guard let end = try date("exp") else { return nil }
        guard end > now - Self.skew else { throw Self.fault("it has expired") }
        return end
    }

    /// What says that a session has ended: OpenID Connect Back-Channel Logout 1.0, section 2.4.
    var logoutEvent: JSONValue? { claims["events"]?["http://schemas.openid.net/event/backchannel-logout"] }
}
