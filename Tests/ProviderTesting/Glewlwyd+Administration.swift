import BusTesting
import FolderTesting
import WebText

extension Glewlwyd {
    /// What a client is registered with.
    public struct Registration: Sendable {
        public var redirectURIs: [String]
        public var postLogoutRedirectURIs: [String] = [Glewlwyd.postLogoutRedirectURI]
        public var backChannelLogoutURI: String?
        public var frontChannelLogoutURI: String?

        /// - Parameter redirectURIs: Each exactly, with its port.
        public init(redirectURIs: [String]) {
            self.redirectURIs = redirectURIs
        }
    }

    /// Makes both clients, both accounts and the OpenID plugin, as the administrator does in the web pages.
    func prepareProvider() async throws {
        // The password that Debian's database begins with.
        try await administer("POST", "auth/", #"{"username": "admin", "password": "password"}"#)
        try await keepMoreOfClients()
        try await administer("PUT", "scope/openid", Self.scope("openid"))
        for scope in Self.scopes.dropFirst() { try await administer("POST", "scope/", Self.scope(scope)) }
        for account in [Self.ana, Self.ben] {
            let scopes = Self.list(Self.scopes + ["g_profile"])
            try await administer(
                "POST", "user/",
                """
                {"username": "\(account.username)", "name": "\(account.name)", "enabled": true, "scope": \(scopes),
                 "email": "\(account.username)@example.org", "password": \(quoted(account.password))}
                """)
        }
        try await administer("POST", "mod/plugin/", try await pluginDescription())
        for client in [Self.publicClient, Self.confidentialClient] {
            try await administer("POST", "client/", Self.client(client, Registration(redirectURIs: [Self.redirectURI])))
        }
    }

    /// Registers one of the two clients anew.
    public func register(_ registration: Registration, of client: String = Glewlwyd.publicClient) async throws {
        try await administer("PUT", "client/\(client)", Self.client(client, registration))
    }

    /// Signs with another key from now on; the old one is no longer published.
    public func replaceKey() async throws {
        try await administer("PUT", "mod/plugin/\(Self.plugin)", try await pluginDescription())
        try await administer("PUT", "mod/plugin/\(Self.plugin)/reset")
    }

    private func administer(_ method: String, _ path: String, _ json: String? = nil) async throws {
        let answer = try await administrator.call(method, "\(origin)/api/\(path)", json: json)
        guard answer.status == 200 else {
            throw TestingError("\(method) \(path): status \(answer.status) \(answer.text)")
        }
    }

    /// Debian's data format drops what log-out needs.
    private func keepMoreOfClients() async throws {
        let place = "\(origin)/api/mod/client/database"
        let text = try await administrator.get(place).text
        let more = [
            ("post_logout_redirect_uris", true), ("backchannel_logout_uri", false),
            ("backchannel_logout_session_required", false), ("frontchannel_logout_uri", false),
            ("frontchannel_logout_session_required", false),
        ].map { #""\#($0)": {"multiple": \#($1), "read": true, "write": true},"# }
        guard let format = text.firstRange(of: "\"data-format\":{") else {
            throw TestingError("no data format: \(text)")
        }
        try await administer(
            "PUT", "mod/client/database", text.replacingCharacters(after: format.upperBound, with: more.joined()))
        try await administer("PUT", "mod/client/database/reset")
    }

    private static func scope(_ name: String) -> String {
        """
        {"name": "\(name)", "display_name": "\(name)", "description": "\(name)", "password_required": true,
         "password_max_age": 0, "scheme": {}}
        """
    }

    private static func client(_ id: String, _ registration: Registration) -> String {
        let isConfidential = id == confidentialClient
        let types = ["code", "refresh_token", "device_authorization"] + (isConfidential ? ["client_credentials"] : [])
        let methods = isConfidential ? ["client_secret_basic", "client_secret_post"] : ["none"]
        var fields = [
            #""client_id": "\#(id)", "name": "Baton", "enabled": true, "confidential": \#(isConfidential)"#,
            #""authorization_type": \#(list(types)), "token_endpoint_auth_method": \#(list(methods))"#,
            #""redirect_uri": \#(list(registration.redirectURIs)), "scope": \#(list(scopes))"#,
            #""post_logout_redirect_uris": \#(list(registration.postLogoutRedirectURIs))"#,
        ]
        if isConfidential { fields.append(#""client_secret": \#(quoted(clientSecret))"#) }
        // Flags are texts here.
        if let uri = registration.backChannelLogoutURI {
            fields.append(
                #""backchannel_logout_uri": \#(quoted(uri)), "backchannel_logout_session_required": "true""#)
        }
        if let uri = registration.frontChannelLogoutURI {
            fields.append(
                #""frontchannel_logout_uri": \#(quoted(uri)), "frontchannel_logout_session_required": "true""#)
        }
        return "{\(fields.joined(separator: ", "))}"
    }

    private static func list(_ texts: [String]) -> String { "[\(texts.map(quoted).joined(separator: ", "))]" }

    /// The OpenID plugin, with a key that no provider beside it has.
    private func pluginDescription() async throws -> String {
        let key = try await SigningKeys.next()
        try folder.write(key, to: "signing.key", mode: 0o600)
        let publicKey = try await run(["openssl", "pkey", "-in", "\(folder.path)/signing.key", "-pubout"])
        let on = [
            "allow-non-oidc", "auth-type-code-enabled", "auth-type-id-token-enabled", "auth-type-client-enabled",
            "auth-type-device-enabled", "auth-type-refresh-enabled", "refresh-token-rolling", "pkce-allowed",
            "pkce-required", "introspection-revocation-allowed", "introspection-revocation-allow-target-client",
            "session-management-allowed", "front-channel-logout-allowed", "back-channel-logout-allowed",
            "oauth-par-allowed", "oauth-as-iss-id", "jwks-show",
        ].map { #""\#($0)": true"# }
        let off = [
            "auth-type-token-enabled", "auth-type-none-enabled", "auth-type-password-enabled",
            "pkce-method-plain-allowed", "oauth-par-required", "request-parameter-allow",
        ].map { #""\#($0)": false"# }
        return """
            {"module": "oidc", "name": "\(Self.plugin)", "display_name": "OpenID", "order_rank": 0, "readonly": false,
             "parameters": {
              "iss": "\(issuer)", "jwt-type": "rsa", "jwt-key-size": "256", "key": \(quoted(key)),
              "cert": \(quoted(publicKey)), "access-token-duration": 3600, "refresh-token-duration": 1209600,
              "code-duration": 600, "refresh-token-one-use": "always", "secret-type": "public",
              "address-claim": {"type": "no"}, "name-claim": "mandatory", "email-claim": "mandatory",
              "scope-claim": "no", "allowed-scope": \(Self.list(Self.scopes)),
              "claims": [{"name": "preferred_username", "user-property": "username", "type": "string",
                          "mandatory": true, "on-demand": false, "scope": []}],
              "introspection-revocation-auth-scope": [], "session-cookie-name": "\(Self.sessionCookie)",
              "session-cookie-expiration": 86400, "device-authorization-expiration": 600,
              "device-authorization-interval": 1, "oauth-par-duration": 90,
              "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:",
              \((on + off).joined(separator: ", "))}}
            """
    }
}

extension String {
    fileprivate func replacingCharacters(after index: Index, with text: String) -> String {
        self[..<index] + text + self[index...]
    }
}
