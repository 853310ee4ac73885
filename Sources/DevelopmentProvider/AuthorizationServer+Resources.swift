import WebText

extension AuthorizationServer {
    /// OpenID Connect Core, section 5.3.
    func userInfo(_ exchange: Exchange) -> HTTPAnswer {
        guard let (token, account) = bearer(exchange) else { return unauthorized(exchange) }
        var claims = profile(account, scopes: token.scopes)
        claims["sub"] = .string(
            misconduct.contains(.otherSubjectInUserInfo) ? "another-subject" : account.stableSubject)
        return .json(.object(claims))
    }

    /// A protected resource in the manner of Microsoft Graph's.
    func me(_ exchange: Exchange) -> HTTPAnswer {
        guard let (_, account) = bearer(exchange) else { return unauthorized(exchange) }
        return .json([
            "id": .string(account.stableObjectID), "displayName": .string(account.name),
            "userPrincipalName": .string(account.username), "mail": account.email.map { .string($0) } ?? .null,
            "preferredLanguage": account.locale.map { .string($0) } ?? .null,
        ])
    }

    private func bearer(_ exchange: Exchange) -> (IssuedAccessToken, DevelopmentAccount)? {
        guard let text = exchange.bearer ?? exchange.form["access_token"],
            let token = accessTokens.value(text, now: now), let account = account(token.grant.username)
        else { return nil }
        return (token, account)
    }

    private func unauthorized(_ exchange: Exchange) -> HTTPAnswer {
        errorAnswer(
            OAuthFault("invalid_token", "The access token is wrong or has expired.", number: 50_173, status: 401),
            exchange)
    }

    /// RFC 7009. Revoking one token leaves the others as they are, unless the misconduct says otherwise.
    func revoke(_ exchange: Exchange) async throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("POST")
        let client = try await authenticate(exchange)
        if client.isPublic, misconduct.contains(.noRevocationForPublicClients) { throw .invalidClient }
        guard let token = exchange.form["token"] else { throw .invalidRequest("token is missing.") }
        if let stored = refreshTokens.value(token, now: now) {
            guard stored.grant.clientID == client.id else { throw .invalidGrant("The token is another client's.") }
            refreshTokens.remove(token, now: now)
            endAll(of: stored.grant)
        } else if let stored = accessTokens.value(token, now: now) {
            guard stored.grant.clientID == client.id else { throw .invalidGrant("The token is another client's.") }
            accessTokens.remove(token, now: now)
            endAll(of: stored.grant)
        }
        return HTTPAnswer(headers: [("cache-control", "no-store")])
    }

    private func endAll(of grant: Grant) {
        guard misconduct.contains(.revocationEndsAll) else { return }
        revokeAll { $0.clientID == grant.clientID && $0.username == grant.username }
    }
}
