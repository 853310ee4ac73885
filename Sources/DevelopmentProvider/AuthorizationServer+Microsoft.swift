import Crypto
import WebText

/// What only Microsoft's kinds have.
extension AuthorizationServer {
    /// Scopes about the sign-in itself, for which Azure AD B2C gives an ID token and no access token.
    static let signInScopes: Set<String> = ["openid", "profile", "email", "offline_access"]

    /// Whose tokens Entra ID's keys may sign; nil: the kind does not say.
    var keyIssuer: String? {
        guard layout.kind == .entra || layout.kind == .external else { return nil }
        let tenant = misconduct.contains(.keyOfAnotherIssuer) ? Tenants.consumers : "{tenantid}"
        return tenants.issuer(base, tenant: tenant)
    }

    /// A guest's are those of their own tenant, where the ID token has those of this one.
    func clientInfo(_ account: DevelopmentAccount, _ grant: Grant) -> JSONValue {
        let uid = account.homeObjectID ?? account.stableObjectID
        let policy = layout.kind == .b2c ? grant.route.policy.map { "-\($0.lowercased())" } ?? "" : ""
        return [
            "uid": .string(uid + policy),
            "utid": .string(account.homeTenantID?.lowercased() ?? tenants.tenant(of: account)),
        ]
    }

    /// The claims that an administrator has to configure at Entra ID.
    func optionalClaims(_ account: DevelopmentAccount, tenant: String) -> [String: JSONValue] {
        var claims: [String: JSONValue] = [:]
        if !misconduct.contains(.noLoginHint) { claims["login_hint"] = .string(account.loginHint) }
        if misconduct.contains(.accountStatus) {
            let home = account.homeTenantID?.lowercased() ?? tenant
            claims["acct"] = home == tenant ? 0 : 1
        }
        return claims
    }

    /// Signs out as Entra ID documents it: `logout_hint` says whom, and without it a page asks.
    func logOutByHint(_ form: ReceivedFields, redirect: String?, clientID: String?, _ exchange: Exchange) -> HTTPAnswer
    {
        let own = session(exchange)?.session
        let isHinted = form["logout_hint"].map { hint in accounts.values.contains { $0.loginHint == hint } } ?? false
        let isOwn = own.flatMap { account($0.username)?.loginHint } == form["logout_hint"]
        let interaction = LogoutInteraction(
            sessionIDs: own.map { isOwn || !isHinted ? [$0.id] : [] } ?? [], redirect: redirect, clientID: clientID)
        return isHinted ? finish(interaction, exchange) : askBeforeLogOut(interaction)
    }
}
