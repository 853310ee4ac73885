import Crypto
import WebText

extension AuthorizationServer {
    private static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    func token(_ exchange: Exchange) async throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("POST")
        let client = try await authenticate(exchange)
        switch exchange.form["grant_type"] {
        case "authorization_code": return try redeem(exchange.form, client)
        case "refresh_token": return try refresh(exchange.form, client)
        case Self.deviceGrant where layout.has(.deviceAuthorization) && !isHidden(.deviceAuthorization):
            return try poll(exchange.form, client)
        case nil: throw .invalidRequest("grant_type is missing.")
        default: throw OAuthFault("unsupported_grant_type", "The grant type is not known.", number: 70_003)
        }
    }

    private func redeem(_ form: ReceivedFields, _ client: DevelopmentClient) throws(OAuthFault) -> HTTPAnswer {
        guard let code = form["code"] else { throw .invalidRequest("code is missing.") }
        guard let issued = codes.value(code, now: now), issued.grant.clientID == client.id else {
            throw .invalidGrant("The code is wrong or has expired.", number: 70_008)
        }
        guard !issued.isUsed else {
            revoke(family: issued.grant.family)
            throw .invalidGrant("The code was used before.", number: 54_005)
        }
        codes.change(code) { $0.isUsed = true }
        guard form["redirect_uri"] == issued.redirectURI else {
            throw .invalidGrant("The redirect URI is another one.", number: 50_148)
        }
        guard let verifier = form["code_verifier"], (43...128).contains(verifier.utf8.count),
            SameText.compare(Base64URL.encode(SHA256.hash(data: Array(verifier.utf8))), issued.challenge)
        else { throw .invalidGrant("The code verifier does not fit.", number: 501_481) }
        return try tokens(
            issued.grant, client,
            TokenContent(
                nonce: issued.grant.nonce, hasClientInfo: issued.wantsClientInfo || form["client_info"] == "1"))
    }

    private func refresh(_ form: ReceivedFields, _ client: DevelopmentClient) throws(OAuthFault) -> HTTPAnswer {
        guard let token = form["refresh_token"] else { throw .invalidRequest("refresh_token is missing.") }
        if let fault = refusalOfRefresh(refreshTokens.value(token, now: now)?.grant) { throw fault }
        guard let stored = refreshTokens.value(token, now: now), stored.grant.clientID == client.id,
            account(stored.grant.username) != nil
        else { throw .invalidGrant("The refresh token is wrong, has expired or was revoked.", number: 700_082) }
        guard !stored.isUsed else {
            revoke(family: stored.grant.family)
            throw .invalidGrant("The refresh token was used before; all of its family are revoked.")
        }
        var content = TokenContent(hasClientInfo: form["client_info"] == "1", isRefresh: true)
        if let wanted = form["scope"] {
            let scopes = Self.scopes(wanted)
            // Microsoft lets a refresh token ask for what the person consented to elsewhere.
            guard layout.kind.speaksMicrosoft || Set(scopes).isSubset(of: stored.grant.scopes) else {
                throw OAuthFault("invalid_scope", "The scope exceeds the granted scope.", number: 70_011)
            }
            content.scopes = scopes
        }
        if misconduct.contains(.noRotation) {
            content.keepsRefreshToken = true
        } else {
            refreshTokens.change(token) { $0.isUsed = true }
        }
        return try tokens(stored.grant, client, content)
    }

    /// What differs between the flows' answers.
    struct TokenContent {
        var nonce: String?
        var scopes: [String]?
        var hasClientInfo = false
        var isRefresh = false
        var isDevice = false
        var keepsRefreshToken = false
    }

    /// The token answer (OpenID Connect Core, section 3.1.3.3).
    func tokens(_ grant: Grant, _ client: DevelopmentClient, _ content: TokenContent) throws(OAuthFault) -> HTTPAnswer {
        guard let account = account(grant.username) else { throw .invalidGrant("The account is gone.") }
        var scopes = content.scopes ?? grant.scopes
        if misconduct.contains(.fewerScopes) { scopes = granted(of: scopes) }
        // Azure AD B2C has access tokens for APIs only.
        let isForAPI = layout.kind != .b2c || !Self.signInScopes.isSuperset(of: scopes)
        let access = isForAPI ? marked("access") : nil
        var members: [String: JSONValue] = ["token_type": "Bearer", "scope": .string(scopes.joined(separator: " "))]
        if let access {
            accessTokens.insert(
                IssuedAccessToken(grant: grant, scopes: scopes), for: access,
                expires: now + Double(options.accessTokenLifetime), now: now)
            members["access_token"] = .string(access)
            members["expires_in"] = .integer(Int64(options.accessTokenLifetime))
        } else {
            members["scope"] = nil
            members["id_token_expires_in"] = .integer(Int64(options.idTokenLifetime))
        }
        if layout.kind == .entra || layout.kind == .external {
            members["ext_expires_in"] = .integer(Int64(options.accessTokenLifetime))
        }
        if grant.scopes.contains("offline_access"), !content.keepsRefreshToken, !misconduct.contains(.noRefreshToken) {
            let refresh = marked("refresh")
            refreshTokens.insert(
                RefreshToken(grant: grant), for: refresh, expires: now + Double(options.refreshTokenLifetime), now: now)
            members["refresh_token"] = .string(refresh)
        }
        let leavesOut =
            content.isDevice && misconduct.contains(.noIDTokenInDeviceAnswer)
            || content.isRefresh && misconduct.contains(.noIDTokenOnRefresh) || !scopes.contains("openid")
        if !leavesOut {
            members["id_token"] = .string(
                try idToken(grant, account, client, nonce: content.nonce, access: access, isRefresh: content.isRefresh))
        }
        if content.hasClientInfo, layout.kind.speaksMicrosoft, !misconduct.contains(.noClientInfo) {
            members["client_info"] = .string(Base64URL.encode(clientInfo(account, grant).bytes))
        }
        return .json(.object(members))
    }

    /// A secret that can be told apart from others, when a test looks for it.
    func marked(_ kind: String) -> String {
        options.tokenMark.isEmpty ? Unguessable.text() : "\(options.tokenMark)-\(kind)-\(Unguessable.text())"
    }

    /// What is left of the scopes that a client asks for.
    func granted(of scopes: [String]) -> [String] {
        let kept: Set = ["openid", "offline_access"]
        if misconduct.contains(.fewerScopes) { return scopes.filter(kept.contains) }
        guard misconduct.contains(.lastScopeDeclined), let last = scopes.lastIndex(where: { !kept.contains($0) }) else {
            return scopes
        }
        return scopes.enumerated().filter { $0.offset != last }.map(\.element)
    }

    func revokeAll(where isMeant: (Grant) -> Bool) {
        let grants = refreshTokens.live(now: now).map(\.value.grant) + accessTokens.live(now: now).map(\.value.grant)
        for family in Set(grants.filter(isMeant).map(\.family)) { revoke(family: family) }
    }

    /// Ends everything that came from one sign-in.
    func revoke(family: String) {
        for (key, token) in refreshTokens.live(now: now) where token.grant.family == family {
            refreshTokens.remove(key, now: now)
        }
        for (key, token) in accessTokens.live(now: now) where token.grant.family == family {
            accessTokens.remove(key, now: now)
        }
    }
}
