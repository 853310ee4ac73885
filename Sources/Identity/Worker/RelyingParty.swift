import Logging
import Secrets
import WebText

/// The client as the provider knows it: everything that sign-in and session share. It has no state of its own.
struct RelyingParty: Sendable {
    let settings: ClientSettings
    let http: any HTTPExchange
    let clock: IdentityClock
    let log: Logger
    let provider: any TokenVerification

    var now: Int64 { clock.seconds() }

    /// Sends a form with the client's authentication and returns a successful answer's body.
    ///
    /// - Throws: what the provider's error answer means, or what `HTTPExchange` throws.
    func post(
        _ url: String, _ form: [(name: String, value: String)], metadata: ProviderMetadata, correlationID: String
    ) async throws(IdentityError) -> [UInt8] {
        let response = try await send(url, form, metadata: metadata, correlationID: correlationID)
        guard (200...299).contains(response.status) else {
            throw error(of: response, to: form, correlationID: correlationID)
        }
        // Some answer an error with status 200.
        if let body = JSONValue(response.body), body["error"]?.string != nil {
            throw OAuthError(body: body).withoutEcho(of: form + ownFields)
                .identityError(status: 400, correlationID: correlationID)
        }
        return response.body
    }

    /// Sends a form with the client's authentication and returns whatever comes.
    func send(
        _ url: String, _ form: [(name: String, value: String)], metadata: ProviderMetadata, correlationID: String
    ) async throws(IdentityError) -> HTTPResponse {
        var request = HTTPRequest(
            .post, url, form: form, headers: [("Accept", "application/json")], correlationID: correlationID)
        try await ClientAuthentication.add(to: &request, settings: settings, metadata: metadata, now: now)
        return try await http.send(request)
    }

    func error(
        of response: HTTPResponse, to form: [(name: String, value: String)], correlationID: String
    ) -> IdentityError {
        guard response.status >= 400 else {
            return IdentityError(.invalidAnswer(what: "status"), correlationID: correlationID)
        }
        var error = OAuthError(body: JSONValue(response.body)).withoutEcho(of: form + ownFields)
            .identityError(status: response.status, correlationID: correlationID)
        error.retryAfter = response.retryAfter(at: now)
        return error
    }

    /// What client authentication adds to a form.
    private var ownFields: [(name: String, value: String)] {
        if case .secret(let secret) = settings.credential { [("client_secret", secret.text)] } else { [] }
    }

    func metadata(forceRefresh: Bool = false) async throws(IdentityError) -> ProviderMetadata {
        try await provider.metadata(forceRefresh: forceRefresh)
    }

    var isMicrosoft: Bool { settings.authority.isMicrosoft }

    /// Ends the provider's session of a sign-in that came to nothing, in the background.
    func leave(_ idToken: Secret, within limit: Duration = .seconds(10)) {
        Task(executorPreference: clock.executor) {
            await clock.bounded(limit) { _ = await endSession(idToken: idToken) }
        }
    }

    /// Tells the provider in the background, and at most for a while, to forget tokens that will not be used.
    func forget(_ tokens: [(token: Secret, hint: TokenHint)], within limit: Duration = .seconds(10)) {
        guard !tokens.isEmpty else { return }
        Task(executorPreference: clock.executor) {
            await clock.bounded(limit) {
                for (token, hint) in tokens { _ = await revoke(token, hint) }
            }
        }
    }
}

extension Authority {
    /// Whether the provider is one of Microsoft's, which want some things otherwise.
    public var isMicrosoft: Bool {
        switch kind {
        case .entra, .b2c, .external: true
        case .openID, .adfs: false
        }
    }
}

extension IdentityError {
    /// The same error with an id for the provider's log, where it had none.
    func correlated(_ correlationID: String) -> IdentityError {
        guard self.correlationID.isEmpty else { return self }
        var error = self
        error.correlationID = correlationID
        return error
    }
}
