import WebText

extension AuthorizationServer {
    /// RFC 8628, section 3.1.
    func deviceAuthorization(_ exchange: Exchange) async throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("POST")
        let client = try await authenticate(exchange)
        let scopes = Self.scopes(exchange.form["scope"])
        guard scopes.contains("openid") else {
            throw OAuthFault("invalid_scope", "The scope must have openid.", number: 70_011)
        }
        if let fault = refusal(ofScopes: scopes) { throw fault }
        let grant = DeviceGrant(
            deviceCode: Unguessable.text(), userCode: Unguessable.userCode(), clientID: client.id, scopes: scopes,
            route: exchange.route, interval: Double(options.deviceInterval))
        devices.insert(grant, for: grant.userCode, expires: now + Double(options.deviceCodeLifetime), now: now)
        let address = base + "/device"
        var members: [String: JSONValue] = [
            "device_code": .string(grant.deviceCode), "user_code": .string(grant.userCode),
            "verification_uri": .string(address), "expires_in": .integer(Int64(options.deviceCodeLifetime)),
            "interval": .integer(Int64(options.deviceInterval)),
        ]
        switch layout.kind {
        case .entra, .external, .b2c:
            // Microsoft has no verification_uri_complete.
            members["message"] = .string("To sign in, open \(address) and enter the code \(grant.userCode).")
        case .openid, .adfs:
            members["verification_uri_complete"] = .string(
                FormText.address(address, adding: [("user_code", grant.userCode)]))
        }
        return .json(.object(members))
    }

    /// RFC 8628, section 3.5.
    func poll(_ form: ReceivedFields, _ client: DevelopmentClient) throws(OAuthFault) -> HTTPAnswer {
        guard let code = form["device_code"] else { throw .invalidRequest("device_code is missing.") }
        guard let grant = devices.live(now: now).first(where: { $0.value.deviceCode == code })?.value,
            grant.clientID == client.id, !misconduct.contains(.deviceExpired)
        else { throw OAuthFault("expired_token", "The device code has expired.", number: 70_020) }
        if misconduct.contains(.deviceDenied) { throw denied }
        switch grant.status {
        case .denied:
            devices.remove(grant.userCode, now: now)
            throw denied
        case .approved(let approved):
            devices.remove(grant.userCode, now: now)
            return try tokens(approved, client, TokenContent(hasClientInfo: form["client_info"] == "1", isDevice: true))
        case .pending: break
        }
        let time = now
        // A tenth of a second for clocks that tick otherwise.
        let isEarly = grant.lastPoll.map { time - $0 < grant.interval - 0.1 } ?? false
        devices.change(grant.userCode) { grant in
            grant.lastPoll = time
            if isEarly { grant.interval = min(grant.interval + 5, 120) }
        }
        if isEarly || misconduct.contains(.deviceSlowDown) {
            throw OAuthFault("slow_down", "Ask less often.", number: 70_016)
        }
        throw OAuthFault("authorization_pending", "The person has not answered yet.", number: 70_016)
    }

    private var denied: OAuthFault {
        layout.kind.speaksMicrosoft
            ? OAuthFault("authorization_declined", "The person denied it.", number: 70_018)
            : OAuthFault("access_denied", "The person denied it.")
    }

    /// The page for the code; its form has `user_code` and `action`: `next`, `approve` or `deny`.
    func device(_ exchange: Exchange) throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("GET", "POST")
        guard let typed = exchange.parameters["user_code"] else { return .page(Page.userCode("")) }
        guard let grant = pendingDevice(typed) else { return wrongUserCode }
        if exchange.method == "POST", exchange.form["action"] == "deny" { return deny(grant) }
        guard let (_, session) = session(exchange), let account = account(session.username),
            tenants.admits(account, at: grant.route)
        else { return .page(Page.deviceSignIn(grant.userCode)) }
        guard exchange.method == "POST", exchange.form["action"] == "approve" else {
            return .page(Page.deviceApproval(grant.userCode, client: grant.clientID, account: account.name))
        }
        approve(grant, session)
        return .page(Page.message("Connected", "You can go back to the device."))
    }

    /// The form of who is not signed in: `user_code`, `username`, `password`, `action`: `sign-in` or `deny`.
    func deviceSignIn(_ exchange: Exchange) throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("POST")
        guard let typed = exchange.form["user_code"], let grant = pendingDevice(typed) else { return wrongUserCode }
        if exchange.form["action"] == "deny" { return deny(grant) }
        guard let account = checked(exchange.form), tenants.admits(account, at: grant.route) else {
            return .page(
                Page.deviceSignIn(
                    grant.userCode, username: exchange.form["username"] ?? "",
                    alert: "User name or password are wrong."), status: 401)
        }
        let cookie = enter(account, exchange)
        return .redirect(FormText.address("/device", adding: [("user_code", grant.userCode)]), status: 303)
            .with(cookie: cookie, lifetime: options.sessionLifetime, secure: isSecure)
    }

    func approve(_ grant: DeviceGrant, _ session: ProviderSession) {
        let approved = Grant(
            clientID: grant.clientID, username: session.username, scopes: grant.scopes, sessionID: session.id,
            authTime: session.authTime, nonce: nil, route: grant.route, family: Unguessable.text())
        devices.change(grant.userCode) { $0.status = .approved(approved) }
        for (cookie, value) in sessions.live(now: now) where value.id == session.id {
            sessions.change(cookie) { session in
                if session.clients.count < ProviderSession.mostClients { session.clients.insert(grant.clientID) }
            }
        }
    }

    /// Whatever case and dashes the person typed (RFC 8628, section 6.1).
    func pendingDevice(_ typed: String) -> DeviceGrant? {
        let letters = typed.uppercased().filter { $0.isLetter && $0.isASCII }
        let code = String(letters.prefix(4)) + "-" + String(letters.dropFirst(4))
        guard let grant = devices.value(code, now: now), case .pending = grant.status else { return nil }
        return grant
    }

    private func deny(_ grant: DeviceGrant) -> HTTPAnswer {
        devices.change(grant.userCode) { $0.status = .denied }
        return .page(Page.message("Denied", "The device was not connected."))
    }

    private var wrongUserCode: HTTPAnswer {
        .page(Page.userCode("", alert: "This code is wrong or has expired."), status: 400)
    }
}
