import WebText

extension AuthorizationServer {
    /// Why a request cannot go on, and whether the client may be told through its redirect URI.
    enum RequestFault: Error {
        case page(OAuthFault)
        case redirect(OAuthFault, uri: String, mode: ReceivedAuthorizationRequest.ResponseMode, state: String?)
    }

    /// Reads and checks an authorization request; client and redirect URI come first, for nothing is sent to an
    /// address that is not the client's.
    func read(_ form: ReceivedFields, _ route: Route) throws(RequestFault) -> ReceivedAuthorizationRequest {
        guard form.repeated.isEmpty else { throw .page(.invalidRequest("A parameter is there twice.")) }
        guard let clientID = form["client_id"], let client = client(clientID) else {
            throw .page(OAuthFault("unauthorized_client", "The client is not known here.", number: 700_016))
        }
        guard let redirectURI = form["redirect_uri"], isRegistered(redirectURI, for: client) else {
            throw .page(OAuthFault("invalid_request", "The redirect URI is not registered.", number: 50_011))
        }
        let mode = form["response_mode"].map { ReceivedAuthorizationRequest.ResponseMode(rawValue: $0) } ?? .query
        let state = form["state"]
        func refuse(_ fault: OAuthFault) -> RequestFault {
            .redirect(fault, uri: redirectURI, mode: (mode ?? .query), state: state)
        }
        guard let mode else { throw refuse(.invalidRequest("The response mode is not known.")) }
        guard form["response_type"] == "code" else {
            throw refuse(
                OAuthFault("unsupported_response_type", "The response type must be code.", number: 700_054))
        }
        guard form["request"] == nil else {
            throw refuse(OAuthFault("request_not_supported", "Request objects are not supported."))
        }
        guard let challenge = form["code_challenge"], form["code_challenge_method"] == "S256",
            Base64URL.decode(challenge.utf8)?.count == 32
        else { throw refuse(.invalidRequest("PKCE with S256 is required.")) }
        let scopes = Self.scopes(form["scope"])
        guard scopes.contains("openid") else {
            throw refuse(OAuthFault("invalid_scope", "The scope must have openid.", number: 70_011))
        }
        if let fault = refusal(ofScopes: scopes) { throw refuse(fault) }
        let prompts = Set((form["prompt"] ?? "").split(separator: " ").map(String.init))
        guard prompts.isSubset(of: ["none", "login", "consent", "select_account", "create"]),
            !prompts.contains("none") || prompts.count == 1
        else { throw refuse(.invalidRequest("The prompt is not known, or none is not alone.")) }
        var maxAge: Int?
        if let text = form["max_age"] {
            guard let value = Int(text), value >= 0 else { throw refuse(.invalidRequest("max_age is not a number.")) }
            maxAge = value
        }
        var claims: JSONValue?
        if let text = form["claims"] {
            guard let value = JSONValue(text.utf8), case .object = value else {
                throw refuse(.invalidRequest("claims is not a JSON object."))
            }
            claims = value
        }
        return ReceivedAuthorizationRequest(
            route: route, clientID: clientID, redirectURI: redirectURI, responseMode: mode, state: state,
            nonce: form["nonce"], scopes: scopes, challenge: challenge, prompts: prompts, maxAge: maxAge,
            loginHint: form["login_hint"],
            subject: form["id_token_hint"].flatMap { keys.verify($0) }?["sub"]?.string, domainHint: form["domain_hint"],
            claims: claims,
            wantsClientInfo: form["client_info"] == "1")
    }

    static func scopes(_ text: String?) -> [String] {
        var seen: Set<String> = []
        return (text ?? "").split(separator: " ").map(String.init).filter { seen.insert($0).inserted }.prefix(100)
            .map { $0 }
    }

    /// RFC 9126.
    func pushAuthorization(_ exchange: Exchange) async throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("POST")
        let client = try await authenticate(exchange)
        guard exchange.form["request_uri"] == nil else { throw .invalidRequest("request_uri cannot be pushed.") }
        var fields = exchange.form.fields
        fields["client_id"] = client.id
        do {
            var request = try read(
                exchange.form.repeated.isEmpty ? ReceivedFields(fields: fields) : exchange.form, exchange.route)
            request.isPushed = true
            let name = "urn:ietf:params:oauth:request_uri:" + Unguessable.text()
            pushed.insert(request, for: name, expires: now + 90, now: now)
            return .json(["request_uri": .string(name), "expires_in": 90], status: 201)
        } catch {
            switch error {
            case .page(let fault), .redirect(let fault, _, _, _): throw fault
            }
        }
    }
}
