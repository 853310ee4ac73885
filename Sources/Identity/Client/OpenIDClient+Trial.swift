extension OpenIDClient {
    /// What the provider does with a sign-in that wants no page (OpenID Connect Core, section 3.1.2.1, `prompt=none`) and comes without
    /// a session: it tells the redirect URI so, if it knows client and redirect URI. To one that it does not know it must send nothing.
    public enum Trial: Sendable, Equatable {
        case accepted
        /// - Parameters:
        ///   - code: What it told the redirect URI; empty: it did not get that far.
        ///   - status: Of its answer.
        case refused(code: String, status: Int)
        /// It shows a page all the same, or sends the browser elsewhere.
        case unclear(status: Int)
    }

    /// - Throws: what discovery, a pushed request or the connection came to.
    public func tryWithoutPage(_ redirectURI: String) async throws(IdentityError) -> Trial {
        var request = AuthorizationRequest(redirectURI: redirectURI)
        request.prompt = AuthorizationRequest.Prompt.none
        let pending = try await begin(request)
        defer { abandon(pending) }
        let answer = try await party.http.send(
            HTTPRequest(.get, pending.url, headers: [("Accept", "text/html")], correlationID: pending.correlationID))
        guard (300..<400).contains(answer.status) else {
            return (400..<500).contains(answer.status)
                ? .refused(code: "", status: answer.status) : .unclear(status: answer.status)
        }
        guard let redirect = answer.header("location").flatMap(RedirectAnswer.init), redirect.came(to: redirectURI)
        else {
            return .unclear(status: answer.status)
        }
        switch redirect.content {
        case .error(let error):
            if case .interactionRequired = error.cause(status: answer.status) { return .accepted }
            return .refused(code: error.code, status: answer.status)
        // It lets the device in without a worker.
        case .code: return .unclear(status: answer.status)
        }
    }
}
