import WebText

extension WorkerIdentity {
    /// Takes over what verified claims say, made fit to be shown; issuer and subject were checked before.
    init(issuer: String, subject: String, claims: [String: JSONValue], authority: Authority) {
        self.init(issuer: issuer, subject: subject)
        func shown(_ names: String...) -> String {
            names.lazy.map { IdentityText.shown(claims[$0]?.string) }.first { !$0.isEmpty } ?? ""
        }
        email = shown("email")
        // Azure AD B2C has a list of addresses.
        if email.isEmpty { email = IdentityText.shown(claims["emails"]?.array?.first?.string) }
        username = shown("preferred_username", "upn", "unique_name")
        if username.isEmpty { username = email }
        name = shown("name")
        locale = shown("locale")
        environment = authority.environment
        sessionID = IdentityText.identifier(claims["sid"]?.string) ?? ""
        // Glewlwyd writes 0 where it does not know.
        authenticationTime = claims["auth_time"]?.date.flatMap { (1...(1 << 48)).contains($0) ? $0 : nil }
        if authority.hasTenants {
            tenant = Self.guid(claims["tid"])
            objectID = Self.guid(claims["oid"])
        }
    }

    private static func guid(_ value: JSONValue?) -> String {
        guard let text = value?.string, IdentityText.isGUID(text) else { return "" }
        return text.lowercased()
    }
}

extension Authority {
    /// Whether `tid` and `oid` mean what Entra ID means by them.
    var hasTenants: Bool {
        switch kind {
        case .entra, .b2c, .external: true
        case .openID, .adfs: false
        }
    }
}
