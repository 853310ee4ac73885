import Logging
import Secrets
import WebText

extension RelyingParty {
    /// The page to open for a sign-in.
    func authorizationURL(
        _ request: AuthorizationRequest, _ flight: AuthorizationFlight, state: String, metadata: ProviderMetadata
    ) async throws(IdentityError) -> String {
        if request.prompt == .create, !metadata.promptValuesSupported.isEmpty,
            !metadata.promptValuesSupported.contains(AuthorizationRequest.Prompt.create.rawValue)
        {
            throw IdentityError(.unsupported(what: "making an account"))
        }
        let fields = try parameters(request, flight, state: state)
        if let endpoint = metadata.pushedAuthorizationRequestEndpoint {
            do throws(IdentityError) {
                let uri = try await push(fields, to: endpoint, metadata: metadata, request.correlationID)
                return FormText.address(
                    metadata.authorizationEndpoint,
                    adding: [(name: "client_id", value: settings.clientID), (name: "request_uri", value: uri)])
            } catch {
                // Some offer it to clients with a secret only. The request has nothing in it that a browser must not see.
                guard !metadata.requiresPushedAuthorizationRequests, Self.isNotForUs(error) else { throw error }
                log.notice(
                    "The provider refuses pushed requests of this client; the browser carries them",
                    metadata: ["correlation": "\(request.correlationID)"])
            }
        } else if metadata.requiresPushedAuthorizationRequests {
            throw IdentityError(
                .misconfigured(what: "the provider wants pushed requests and names no endpoint for them"))
        }
        return FormText.address(metadata.authorizationEndpoint, adding: fields)
    }

    private func parameters(
        _ request: AuthorizationRequest, _ flight: AuthorizationFlight, state: String
    ) throws(IdentityError) -> [(name: String, value: String)] {
        var scopes = flight.expectation.scopes
        scopes.add(try ScopeSet(request.extraScopesToConsent).list)
        let optional: [(name: String, value: String?)] = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", request.redirectURI),
            ("scope", scopes.text), ("state", state), ("nonce", flight.expectation.nonce),
            ("code_challenge", flight.proofKey.challenge), ("code_challenge_method", ProofKey.method),
            ("prompt", request.prompt?.rawValue),
            ("max_age", request.asksWithMaxAge ? "1" : request.maxAge.map(String.init)),
            ("login_hint", request.loginHint), ("domain_hint", request.domainHint),
            ("claims", request.demandedClaims?.beside(request.claims) ?? request.claims),
            ("client_info", isMicrosoft ? "1" : nil),
            ("client-request-id", isMicrosoft ? request.correlationID : nil),
        ]
        let fields = optional.compactMap { field in field.value.map { (name: field.name, value: $0) } }
        let extra = request.extraQueryParameters.sorted { $0.key < $1.key }
        return fields + extra.map { (name: $0.key, value: $0.value) }
    }

    /// RFC 9126.
    private func push(
        _ fields: [(name: String, value: String)], to endpoint: String, metadata: ProviderMetadata,
        _ correlationID: String
    ) async throws(IdentityError) -> String {
        let body = try await post(endpoint, fields, metadata: metadata, correlationID: correlationID)
        guard let uri = JSONValue(body)?["request_uri"]?.string, (1...4096).contains(uri.utf8.count),
            uri.utf8.allSatisfy({ (33...126).contains($0) })
        else { throw IdentityError(.invalidAnswer(what: "request_uri")) }
        return uri
    }

    private static func isNotForUs(_ error: IdentityError) -> Bool {
        switch error.cause {
        case .rejected(let code, let status):
            ["invalid_client", "unauthorized_client"].contains(code) || [401, 403, 404, 405, 501].contains(status)
        case .denied: true
        default: false
        }
    }
}
