import WebText

extension AuthorizationServer {
    /// What tests and demos steer with; a page in a browser cannot reach it, for it would send an `Origin`.
    func control(_ exchange: Exchange) throws(OAuthFault) -> HTTPAnswer {
        switch exchange.route.rest {
        case "state":
            try exchange.require("GET")
            return .json(state)
        case "misbehave": try misbehave(exchange)
        case "rotate-keys":
            try exchange.require("POST")
            try rotateKeys()
        case "end-session":
            try exchange.require("POST")
            return .json(["ended": .integer(Int64(endSessions(username: exchange.json?["username"]?.string)))])
        case "sign-in": return try signInNext(exchange)
        case "deny": return try decide(exchange, approve: false)
        case "approve": return try decide(exchange, approve: true)
        case "expire": try expire(exchange)
        default: throw .notFound
        }
        return .json(["ok": true])
    }

    /// Counters and lives, without any secret.
    var state: JSONValue {
        let now = now
        let refresh = refreshTokens.live(now: now).filter { !$0.value.isUsed }.count
        let pending = devices.live(now: now).filter { if case .pending = $0.value.status { true } else { false } }.count
        return [
            "issuer": .string(homeIssuer), "base": .string(base),
            "kind": .string(layout.kind.rawValue), "misbehaviours": .strings(misconduct.names),
            "requests": .object(
                Dictionary(
                    uniqueKeysWithValues: Endpoint.allCases.map { ($0.rawValue, .integer(Int64(counts[$0] ?? 0))) })),
            "live_sessions": .integer(Int64(sessions.live(now: now).count)),
            "live_refresh_tokens": .integer(Int64(refresh)),
            "live_access_tokens": .integer(Int64(accessTokens.live(now: now).count)),
            "pending_device_codes": .integer(Int64(pending)),
            "logout_tokens": [
                "queued": .integer(Int64(logoutTokensQueued)), "accepted": .integer(Int64(logouts.accepted)),
                "refused": .integer(Int64(logouts.refused)),
            ],
            "last_authorization": lastAuthorization,
        ]
    }

    private func misbehave(_ exchange: Exchange) throws(OAuthFault) {
        try exchange.require("POST")
        guard let json = exchange.json else { throw .invalidRequest("The body is not JSON.") }
        func names(_ key: String) throws(OAuthFault) -> [String] {
            guard let value = json[key] else { return [] }
            let names = value.array?.compactMap(\.string) ?? value.string.map { [$0] }
            guard let names else { throw .invalidRequest("\(key) is not a list of names.") }
            return names
        }
        let (cleared, wanted) = (try names("clear"), try names("set"))
        do throws(Misconduct.Fault) {
            try change(set: wanted, clear: cleared)
        } catch {
            throw .invalidRequest(error.description)
        }
    }

    /// First clears, then sets; a wrong name changes nothing.
    func change(set: [String], clear: [String]) throws(Misconduct.Fault) {
        var changed = misconduct
        for name in clear { try changed.clear(name) }
        for name in set { try changed.set(name) }
        misconduct = changed
    }

    func rotateKeys() throws(OAuthFault) {
        do {
            try keys.rotate()
        } catch {
            throw OAuthFault("server_error", "No key could be made.", status: 500)
        }
    }

    /// Ends the sessions of one person, or all, and sends the log-out tokens.
    func endSessions(username: String?) -> Int {
        let ids = sessions.live(now: now).map(\.value).filter { session in
            username.map { $0.lowercased() == session.username.lowercased() } ?? true
        }.map(\.id)
        for id in ids { end(sessionID: id) }
        return ids.count
    }

    /// `{"username": "ana"}`: ana answers the next authorization request that asks for a person, without the pages.
    ///
    /// All else is as if she had typed: the browser gets its session cookie, and the client its code. `null` forgets
    /// those who have not had their turn.
    private func signInNext(_ exchange: Exchange) throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("POST")
        if case .null? = exchange.json?["username"] {
            nextPeople.removeAll()
            return .json(["waiting": 0])
        }
        guard let username = exchange.json?["username"]?.string, account(username) != nil, nextPeople.count < 1000
        else { throw .invalidRequest("There is no such account.") }
        nextPeople.append(username)
        return .json(["waiting": .integer(Int64(nextPeople.count))])
    }

    /// Answers device codes in the person's place: `user_code` or all, and for approval `username`.
    private func decide(_ exchange: Exchange, approve: Bool) throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("POST")
        let wanted = exchange.json?["user_code"]?.string
        let codes = wanted.map { [$0] } ?? devices.live(now: now).map(\.key)
        let pending = codes.compactMap(pendingDevice)
        guard approve else {
            for grant in pending { devices.change(grant.userCode) { $0.status = .denied } }
            return .json(["denied": .integer(Int64(pending.count))])
        }
        guard let username = exchange.json?["username"]?.string, let account = account(username) else {
            throw .invalidRequest("There is no such account.")
        }
        for grant in pending {
            let cookie = enter(account, exchange)
            if let session = sessions.value(cookie, now: now) { self.approve(grant, session) }
        }
        return .json(["approved": .integer(Int64(pending.count))])
    }

    /// `{"what": "access-tokens"}`, or `refresh-tokens`, `device-codes`, `sessions` (without log-out tokens), `all`.
    private func expire(_ exchange: Exchange) throws(OAuthFault) {
        try exchange.require("POST")
        switch exchange.json?["what"]?.string {
        case "access-tokens": accessTokens.removeAll()
        case "refresh-tokens": refreshTokens.removeAll()
        case "device-codes": devices.removeAll()
        case "sessions": sessions.removeAll()
        case "all":
            accessTokens.removeAll()
            refreshTokens.removeAll()
            devices.removeAll()
            sessions.removeAll()
        default: throw .invalidRequest("what must be access-tokens, refresh-tokens, device-codes, sessions or all.")
        }
    }
}
