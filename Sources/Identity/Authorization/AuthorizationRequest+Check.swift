import WebText

extension AuthorizationRequest {
    /// Parameters that mean something in the protocol: a caller could weaken or redirect the sign-in with them.
    static let protocolParameters: Set<String> = [
        "acr_values", "claims", "client_assertion", "client_assertion_type", "client_id", "client_info",
        "client_request_id",
        "client-request-id", "client_secret", "code", "code_challenge", "code_challenge_method", "code_verifier",
        "domain_hint", "dpop_jkt", "grant_type", "id_token_hint", "iss", "login_hint", "max_age", "nonce", "prompt",
        "redirect_uri", "registration", "request", "request_uri", "response_mode", "response_type", "scope", "state",
    ]

    /// Whether a query parameter is one of those.
    public static func isReserved(_ name: String) -> Bool { protocolParameters.contains(name.lowercased()) }

    private static let mostParameters = 32
    private static let longestText = 4096

    /// - Throws: `misconfigured` with the name of what cannot be sent.
    func check(needsRedirect: Bool) throws(IdentityError) {
        if needsRedirect, !Self.isRedirectURI(redirectURI) { throw fault("redirect URI") }
        for (name, text) in [("login hint", loginHint), ("domain hint", domainHint), ("claims", claims)] {
            if let text, !Self.isSendable(text) { throw fault(name) }
        }
        if let claims, JSONValue(claims.utf8)?.object == nil { throw fault("claims") }
        if let maxAge, maxAge < 0 { throw fault("max age") }
        guard (1...86_400).contains(lifetime) else { throw fault("lifetime") }
        guard extraQueryParameters.count <= Self.mostParameters else { throw fault("extra query parameters") }
        for (name, value) in extraQueryParameters {
            let lower = name.lowercased()
            guard !Self.protocolParameters.contains(lower) else { throw fault("extra query parameter \(lower)") }
            guard (1...128).contains(name.utf8.count), Self.isSendable(name), Self.isSendable(value) else {
                throw fault("extra query parameters")
            }
        }
    }

    var wantsFreshLogin: Bool { needsFreshLogin || prompt == .login || maxAge == 0 }

    /// The scopes to ask for, without those that are for the consent page only.
    func wantedScopes(_ settings: ClientSettings, _ metadata: ProviderMetadata) throws(IdentityError) -> ScopeSet {
        var wanted = try ScopeSet(["openid"])
        let usual = try ScopeSet(settings.scopes).list.filter { settings.asks(for: $0, metadata) }
        guard !isProofOnly else {
            wanted.add(usual.filter { $0.lowercased() != "offline_access" })
            return wanted
        }
        guard let scopes else {
            wanted.add(usual)
            return wanted
        }
        wanted.add(usual.filter { ScopeSet.reserved.contains($0.lowercased()) })
        wanted.add(try ScopeSet(scopes).list)
        return wanted
    }

    private func fault(_ what: String) -> IdentityError {
        IdentityError(.misconfigured(what: what), correlationID: correlationID)
    }

    static func isSendable(_ text: String) -> Bool {
        text.utf8.count <= longestText && text.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
    }

    private static func isRedirectURI(_ text: String) -> Bool {
        guard (1...2048).contains(text.utf8.count), text.utf8.allSatisfy({ (33...126).contains($0) && $0 != 35 }),
            let colon = text.firstIndex(of: ":"), colon != text.startIndex
        else { return false }
        return text[colon...].dropFirst().count > 0
    }
}

extension ClientSettings {
    /// Whether a scope of the settings is asked for.
    ///
    /// A provider may refuse a whole sign-in for one scope that it does not know. What the settings do not name is left out if
    /// the provider lists its scopes without it; Microsoft's lists are known to be shorter than what it takes.
    fileprivate func asks(for scope: String, _ metadata: ProviderMetadata) -> Bool {
        let offered = metadata.scopesSupported
        return !hasDefaultScopes || authority.isMicrosoft || offered.isEmpty || offered.contains(scope)
    }
}
