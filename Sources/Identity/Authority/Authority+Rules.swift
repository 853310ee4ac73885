import WebText

extension Authority {
    /// Where the provider describes itself (OpenID Connect Discovery 1.0, section 4).
    public var discoveryURL: String {
        switch kind {
        case .openID, .adfs: "\(url)/.well-known/openid-configuration"
        case .entra, .b2c, .external:
            url.hasSuffix("/v2.0")
                ? "\(url)/.well-known/openid-configuration" : "\(url)/v2.0/.well-known/openid-configuration"
        }
    }

    /// The hosts that may speak for this authority: its own, and for Entra ID those of the same cloud.
    public var knownHosts: Set<String> {
        guard let host = address?.host else { return [] }
        guard case .entra = kind, let cloud = MicrosoftCloud.named(by: host) else { return [host] }
        return Set(cloud.hosts)
    }

    /// Whether an issuer may be one of this authority's, as far as that can be told without its documents.
    public func mayBeIssuer(_ issuer: String) -> Bool {
        // Some issuers end with a slash, which authorities are kept without.
        if kind == .openID { return issuer == url || issuer == url + "/" }
        guard let host = WebAddress(ofProvider: issuer)?.host else { return false }
        return knownHosts.contains(host) || kind == .external && host.hasSuffix(".ciamlogin.com")
    }

    /// The host that accounts are said to belong to; the same for all of a cloud's aliases.
    public var environment: String {
        guard let host = address?.host else { return "" }
        guard case .entra = kind, let cloud = MicrosoftCloud.named(by: host) else { return host }
        return cloud.hosts.first ?? host
    }

    /// What this kind of provider cannot do, in sentences for people.
    public var limits: [String] {
        switch kind {
        case .openID: []
        case .entra(let audience):
            [
                "Entra ID has no endpoint that revokes tokens: they end by themselves, or by an administrator.",
                "Entra ID has no pushed authorization requests.",
                "Entra ID sends front-channel log-outs only, no back-channel ones.",
            ]
                + (audience == .consumers
                    ? ["Personal accounts have no front-channel log-out that reaches a device without a browser."] : [])
        case .b2c:
            [
                "Azure AD B2C has no device grant: workers sign in on the terminal itself.",
                "Azure AD B2C has no endpoint that revokes tokens, and no pushed authorization requests.",
                "Azure AD B2C gives access tokens for an API's scope, or for the client id as scope, only.",
                "Azure AD B2C has no common authority: each policy of each tenant is one of its own.",
            ]
        case .external:
            [
                "Entra External ID has no endpoint that revokes tokens, and no pushed authorization requests.",
                "Entra External ID takes the accounts of its own tenant only.",
            ]
        case .adfs:
            [
                "AD FS has no pushed authorization requests and no endpoint that revokes tokens.",
                "AD FS has a device grant from Windows Server 2019 on; its discovery document says whether it does.",
                "AD FS names no tenant, so a list of allowed tenants refuses all accounts.",
            ]
        }
    }

    /// Azure AD B2C's policy.
    var policy: String? {
        guard case .b2c = kind, var parts = address?.pathParts else { return nil }
        if parts.last == "v2.0" { parts.removeLast() }
        return parts.last.map { String($0) }
    }

    var address: WebAddress? { WebAddress(ofProvider: url) }
}
