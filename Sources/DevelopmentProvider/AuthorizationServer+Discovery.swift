import WebText

extension AuthorizationServer {
    /// OpenID Connect Discovery 1.0, with what each kind really has.
    func discovery(_ exchange: Exchange) throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("GET", "HEAD")
        let route = exchange.route
        let kind = layout.kind
        var issuer = try tenants.discoveryIssuer(base, route)
        if misconduct.contains(.wrongIssuerInDiscovery) { issuer = "https://issuer.example" }
        var members: [String: JSONValue] = [
            "issuer": .string(issuer),
            // So that no device takes it for a real provider by mistake.
            "baton_development_provider": true,
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": kind == .openid ? ["RS256", "ES256"] : ["RS256"],
            "scopes_supported": .strings(
                ["openid", "profile", "email"]
                    + (misconduct.contains(.noOfflineAccess) ? [] : ["offline_access"])),
            "token_endpoint_auth_methods_supported": [
                "none", "client_secret_basic", "client_secret_post", "private_key_jwt",
            ],
            "claims_supported": [
                "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "sid", "preferred_username", "name",
                "email", "locale",
            ],
            "frontchannel_logout_supported": true, "frontchannel_logout_session_supported": true,
        ]
        var grants = ["authorization_code", "refresh_token"]
        if kind != .b2c, !isHidden(.deviceAuthorization) {
            grants.append("urn:ietf:params:oauth:grant-type:device_code")
        }
        members["grant_types_supported"] = .strings(grants)
        let addresses: [(String, Endpoint)] = [
            ("authorization_endpoint", .authorize), ("token_endpoint", .token), ("jwks_uri", .keys),
            ("userinfo_endpoint", .userinfo), ("end_session_endpoint", .logout), ("revocation_endpoint", .revoke),
            ("device_authorization_endpoint", .deviceAuthorization),
            ("pushed_authorization_request_endpoint", .pushedAuthorization),
        ]
        for (name, endpoint) in addresses {
            if let address = address(endpoint, beside: route) { members[name] = .string(address) }
        }
        switch kind {
        case .openid:
            members["authorization_response_iss_parameter_supported"] = true
            members["backchannel_logout_supported"] = true
            members["backchannel_logout_session_supported"] = true
            members["code_challenge_methods_supported"] = ["S256"]
            members["claims_parameter_supported"] = true
            members["prompt_values_supported"] = ["none", "login", "consent", "select_account", "create"]
        case .entra, .external:
            members["http_logout_supported"] = true
            members["cloud_instance_name"] = "development.example"
            members["msgraph_host"] = .string(String(base.drop { $0 != "/" }.dropFirst(2)))
            members["tenant_region_scope"] = .null
        case .b2c: break
        case .adfs:
            members["access_token_issuer"] = .string("\(base)/adfs/services/trust")
            members["microsoft_multi_refresh_token"] = true
        }
        return .json(.object(members))
    }
}
