import WebText

extension ProviderMetadata {
    /// Reads a discovery document; nothing in it is believed that the authority cannot speak for.
    ///
    /// - Throws: `invalidAnswer` with the member that is wrong, `notTrusted` when it names another issuer.
    public init(_ body: [UInt8], authority: Authority) throws(IdentityError) {
        guard let document = JSONValue(body), document.object != nil else {
            throw IdentityError(.invalidAnswer(what: "the discovery document is not a JSON object"))
        }
        guard let issuer = document["issuer"]?.string else {
            throw IdentityError(.invalidAnswer(what: "the discovery document has no issuer"))
        }
        guard authority.accepts(metadataIssuer: issuer) else {
            throw IdentityError(.notTrusted(what: "the discovery document names another issuer"))
        }
        let reader = Reader(document: document, isOnLoopback: authority.address.map { $0.scheme == "http" } ?? false)
        self.init(
            issuer: issuer, authorizationEndpoint: try reader.required("authorization_endpoint"),
            tokenEndpoint: try reader.required("token_endpoint"), jwksURI: try reader.required("jwks_uri"))
        userinfoEndpoint = try reader.address("userinfo_endpoint")
        endSessionEndpoint = try reader.address("end_session_endpoint")
        revocationEndpoint = try reader.address("revocation_endpoint")
        deviceAuthorizationEndpoint = try reader.address("device_authorization_endpoint")
        pushedAuthorizationRequestEndpoint = try reader.address("pushed_authorization_request_endpoint")
        requiresPushedAuthorizationRequests = reader.flag("require_pushed_authorization_requests")
        sendsIssuerInAnswer = reader.flag("authorization_response_iss_parameter_supported")
        scopesSupported = reader.list("scopes_supported")
        promptValuesSupported = reader.list("prompt_values_supported")
        idTokenAlgorithms = reader.list("id_token_signing_alg_values_supported")
        tokenEndpointAuthMethods = reader.list("token_endpoint_auth_methods_supported")
        isDevelopmentProvider =
            reader.flag("baton_development_provider") && authority.address?.isLoopback == true
    }

    private struct Reader {
        let document: JSONValue
        /// The authority itself is reached without encryption, on this machine: then its endpoints may be too.
        let isOnLoopback: Bool

        func required(_ name: String) throws(IdentityError) -> String {
            guard let address = try address(name) else {
                throw IdentityError(.invalidAnswer(what: "the discovery document has no \(name)"))
            }
            return address
        }

        func address(_ name: String) throws(IdentityError) -> String? {
            guard let value = document[name], value != .null, value != .string("") else { return nil }
            guard let text = value.string, let address = WebAddress(ofProvider: text) else {
                throw IdentityError(.invalidAnswer(what: "\(name) of the discovery document is not an address"))
            }
            guard address.scheme == "https" || (isOnLoopback && address.isLoopback) else {
                throw IdentityError(.invalidAnswer(what: "\(name) of the discovery document is not https"))
            }
            return text
        }

        func flag(_ name: String) -> Bool { document[name]?.boolean ?? false }

        /// What is not a list of short texts says nothing; nothing relies on these.
        func list(_ name: String) -> [String] {
            let texts = document[name]?.array?.prefix(512).compactMap(\.string) ?? []
            return texts.filter { IdentityText.identifier($0) != nil }
        }
    }
}
