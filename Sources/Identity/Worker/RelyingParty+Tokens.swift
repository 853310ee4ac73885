import Secrets

extension RelyingParty {
    /// Exchanges the code of a browser sign-in: RFC 6749, section 4.1.3.
    func tokens(
        code: Secret, redirectURI: String, proofKey: ProofKey, scopes: ScopeSet, correlationID: String
    ) async throws(IdentityError) -> TokenAnswer {
        var form = [
            (name: "grant_type", value: "authorization_code"), (name: "code", value: code.text),
            (name: "redirect_uri", value: redirectURI), (name: "code_verifier", value: proofKey.verifier.text),
        ]
        // Where a sign-in may ask for scopes of several services, the token is for those that are named here.
        if isMicrosoft { form.append((name: "scope", value: scopes.text)) }
        return try await tokens(form, correlationID: correlationID)
    }

    /// Asks once whether the worker has finished on the other device: RFC 8628, section 3.4.
    func tokens(device: PendingDevice) async throws(IdentityError) -> TokenAnswer {
        try await tokens(
            [
                (name: "grant_type", value: "urn:ietf:params:oauth:grant-type:device_code"),
                (name: "device_code", value: device.deviceCode.text),
            ], correlationID: device.correlationID)
    }

    /// Gets new tokens: RFC 6749, section 6.
    ///
    /// - Parameter scopes: nil: those of the sign-in.
    /// - Parameter claims: a claims request, which Entra ID takes here too; others leave it aside.
    func tokens(
        refresh token: Secret, scopes: ScopeSet?, claims: String? = nil, correlationID: String
    ) async throws(IdentityError) -> TokenAnswer {
        var form = [(name: "grant_type", value: "refresh_token"), (name: "refresh_token", value: token.text)]
        if let scopes { form.append((name: "scope", value: scopes.text)) }
        if let claims { form.append((name: "claims", value: claims)) }
        do throws(IdentityError) {
            return try await tokens(form, correlationID: correlationID)
        } catch {
            var error = error
            switch error.cause {
            // Some refuse a token that ran out without saying why.
            case .rejected(code: "", status: 400): error.cause = .interactionRequired(code: "invalid_grant")
            // And some refuse any that they do not know any more as if the request were wrong.
            case .rejected(code: "invalid_request", status: 400):
                error.cause = .interactionRequired(code: "invalid_request")
            // More than the worker has granted so far: a sign-in page can ask for it.
            case .rejected(code: "invalid_scope", _): error.cause = .interactionRequired(code: "invalid_scope")
            default: break
            }
            throw error
        }
    }

    private func tokens(
        _ form: [(name: String, value: String)], correlationID: String
    ) async throws(IdentityError) -> TokenAnswer {
        let metadata = try await metadata()
        let form = form + (isMicrosoft ? [(name: "client_info", value: "1")] : [])
        let body = try await post(metadata.tokenEndpoint, form, metadata: metadata, correlationID: correlationID)
        return try TokenAnswer(body: body, correlationID: correlationID)
    }
}
