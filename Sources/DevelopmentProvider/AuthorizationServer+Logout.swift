import WebText

extension AuthorizationServer {
    /// RP-Initiated Logout 1.0, by GET or POST.
    func logout(_ exchange: Exchange) throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("GET", "POST")
        let form = exchange.parameters
        let hint = form["id_token_hint"].flatMap { keys.verify($0) }
        let clientID = form["client_id"] ?? hint.flatMap(Self.client(of:))
        if let hint, let named = form["client_id"], Self.client(of: hint) != named {
            return errorPage(.invalidRequest("id_token_hint and client_id are of different clients."))
        }
        var redirect: String?
        if let uri = form["post_logout_redirect_uri"] {
            guard let clientID, let client = client(clientID), isRegisteredForLogout(uri, for: client) else {
                return errorPage(.invalidRequest("The post-log-out redirect URI is not registered."))
            }
            redirect = FormText.address(uri, adding: form["state"].map { [(name: "state", value: $0)] } ?? [])
        }
        if misconduct.contains(.accountPickerAtLogOut) {
            return logOutByHint(form, redirect: redirect, clientID: clientID, exchange)
        }
        let own = session(exchange)?.session.id
        if own == nil, let redirect, misconduct.contains(.logOutNeedsCookie) { return .redirect(redirect) }
        let asks = misconduct.contains(.logOutPageWaits) || misconduct.contains(.logOutAsks)
        let hinted = hint.map { sessions(of: $0) }
        if let hinted, !asks {
            return finish(LogoutInteraction(sessionIDs: hinted, redirect: redirect, clientID: clientID), exchange)
        }
        let interaction = LogoutInteraction(
            sessionIDs: (hinted ?? []).union(own.map { [$0] } ?? []), redirect: redirect, clientID: nil)
        if misconduct.contains(.logOutWithoutPage) { return finish(interaction, exchange) }
        // With no user signed in there is nothing to ask.
        if interaction.sessionIDs.isEmpty, !asks {
            return finish(interaction, exchange)
        }
        return askBeforeLogOut(interaction)
    }

    /// The log-out page, which waits for a person.
    func askBeforeLogOut(_ interaction: LogoutInteraction) -> HTTPAnswer {
        let id = Unguessable.text()
        logoutInteractions.insert(interaction, for: id, expires: now + 1800, now: now)
        return .page(
            Page.logout(interaction: id, refreshAfter: misconduct.contains(.logOutPageWaits) ? 30 : nil))
    }

    /// The log-out page's form: `interaction`, `action`: `log-out` or `cancel`.
    func confirmLogout(_ exchange: Exchange) throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("GET", "POST")
        guard let id = exchange.parameters["interaction"],
            let interaction = logoutInteractions.remove(id, now: now)
        else { return stalePage }
        guard exchange.parameters["action"] == "log-out" else {
            return .page(Page.message("Still signed in", "You were not signed out."))
        }
        return finish(interaction, exchange)
    }

    /// Ends the sessions and tells every client; the one that asked knows already and gets no frame.
    func finish(_ interaction: LogoutInteraction, _ exchange: Exchange) -> HTTPAnswer {
        var frames: [String] = []
        for id in interaction.sessionIDs.sorted() {
            guard let session = end(sessionID: id) else { continue }
            for clientID in session.clients.sorted() where clientID != interaction.clientID {
                guard let uri = client(clientID)?.frontchannelLogoutURI ?? options.frontchannelLogoutURI,
                    let account = account(session.username)
                else { continue }
                let issuer = tenants.issuer(base, tenant: tenants.tenant(of: account))
                frames.append(FormText.address(uri, adding: [("iss", issuer), ("sid", session.id)]))
            }
        }
        let answer: HTTPAnswer =
            if frames.isEmpty, let redirect = interaction.redirect {
                .redirect(redirect)
            } else {
                .page(Page.loggedOut(frames: frames, redirect: interaction.redirect))
            }
        // Another person's session in this browser goes on.
        return session(exchange) == nil ? answer.with(cookie: "", lifetime: 0, secure: isSecure) : answer
    }

    private static func client(of hint: JSONValue) -> String? {
        hint["azp"]?.string ?? hint["aud"]?.string ?? hint["aud"]?.array?.first?.string
    }

    /// The sessions that an ID token stands for; without `sid` all of its person's that its client takes part in.
    private func sessions(of hint: JSONValue) -> Set<String> {
        if let sid = hint["sid"]?.string { return [sid] }
        guard let subject = hint["sub"]?.string, let clientID = Self.client(of: hint) else { return [] }
        return Set(
            sessions.live(now: now).map(\.value).filter {
                $0.clients.contains(clientID) && account($0.username)?.stableSubject == subject
            }.map(\.id))
    }

    /// Ends a session and queues the log-out tokens (OpenID Connect Back-Channel Logout 1.0).
    @discardableResult
    func end(sessionID: String) -> ProviderSession? {
        guard let (cookie, session) = sessions.live(now: now).first(where: { $0.value.id == sessionID }) else {
            return nil
        }
        sessions.remove(cookie, now: now)
        revokeAll { $0.sessionID == sessionID }
        for clientID in session.clients.sorted() {
            guard let client = client(clientID),
                let address = client.backchannelLogoutURI ?? options.backchannelLogoutURI,
                let account = account(session.username), !misconduct.contains(.noLogoutToken),
                let token = try? logoutToken(client, account, session)
            else { continue }
            for _ in 0..<(misconduct.contains(.replayedLogoutToken) ? 2 : 1) {
                logoutTokensQueued &+= 1
                logouts.send(LogoutDelivery.Notice(address: address, token: token))
            }
        }
        return session
    }

    private func logoutToken(
        _ client: DevelopmentClient, _ account: DevelopmentAccount, _ session: ProviderSession
    ) throws(OAuthFault) -> String {
        let issuer = tenants.issuer(base, tenant: tenants.tenant(of: account))
        var claims: [String: JSONValue] = [
            "iss": .string(issuer), "sub": .string(account.stableSubject), "aud": .string(client.id),
            "iat": .integer(Int64(now)), "exp": .integer(Int64(now) &+ 120), "jti": .string(Unguessable.text()),
            "sid": .string(session.id), "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
        ]
        if misconduct.contains(.noSessionID), !client.isBackchannelSessionRequired { claims["sid"] = nil }
        if misconduct.contains(.logoutTokenWithNonce) { claims["nonce"] = .string(Unguessable.text()) }
        if misconduct.contains(.logoutTokenWithoutEvents) { claims["events"] = nil }
        if misconduct.contains(.logoutTokenWrongAudience) { claims["aud"] = "another-client" }
        var type = "logout+jwt"
        if misconduct.contains(.logoutTokenWithoutExpiry) {
            claims["exp"] = nil
            type = "JWT"
        }
        return try sign(
            .object(claims), algorithm: client.signingAlgorithm, type: type,
            flaw: misconduct.contains(.logoutTokenWrongSignature) ? .brokenSignature : nil)
    }
}
