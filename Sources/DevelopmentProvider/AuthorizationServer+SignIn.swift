import WebText

extension AuthorizationServer {
    private static let mostFailures = 10

    /// The sign-in page's form: `interaction`, `username`, `password`, `action` (`sign-in` or `cancel`).
    func signIn(_ exchange: Exchange) throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("POST")
        guard let (id, interaction) = interaction(exchange) else { return stalePage }
        let request = interaction.request
        if exchange.form["action"] == "cancel" { return cancel(id, request) }
        guard let account = checked(exchange.form) else {
            interactions.change(id) { $0.failures &+= 1 }
            guard interaction.failures < Self.mostFailures else { return cancel(id, request) }
            return signInPage(id, request, alert: "User name or password are wrong.")
        }
        guard tenants.admits(account, at: request.route) else {
            return signInPage(id, request, alert: "AADSTS50020: This account is not of this tenant.")
        }
        return advance(id, cookie: enter(account, exchange))
    }

    /// `interaction`, `action`: `continue`, `other` or `cancel`.
    func select(_ exchange: Exchange) throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("POST")
        guard let (id, interaction) = interaction(exchange) else { return stalePage }
        var request = interaction.request
        switch exchange.form["action"] {
        case "continue":
            guard let cookie = interaction.cookie, let session = sessions.value(cookie, now: now) else {
                return stalePage
            }
            // The choice is made; what else was asked for, such as a fresh login, still holds.
            request.prompts.remove("select_account")
            interactions.remove(id, now: now)
            return proceed(request, (cookie, session))
        case "other":
            request.prompts.remove("select_account")
            request.loginHint = nil
            interactions.change(id) { $0.request = request }
            return signInPage(id, request)
        default: return cancel(id, request)
        }
    }

    /// `interaction`, `username`, `name`, `email`, `password`, `action`: `create` or `cancel`.
    func create(_ exchange: Exchange) throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("POST")
        guard let (id, interaction) = interaction(exchange) else { return stalePage }
        guard exchange.form["action"] != "cancel" else { return cancel(id, interaction.request) }
        guard let username = exchange.form["username"], let password = exchange.form["password"],
            username.utf8.count <= 100, password.utf8.count <= 1000, !username.contains(" ")
        else {
            return .page(Page.creation(interaction: id, alert: "A user name and a password are needed."), status: 400)
        }
        guard accounts.count < 1000, account(username) == nil else {
            return .page(Page.creation(interaction: id, alert: "This user name is taken."), status: 409)
        }
        let account = DevelopmentAccount(
            username: username, name: exchange.form["name"] ?? username, email: exchange.form["email"],
            password: password)
        accounts[username.lowercased()] = account
        return advance(id, cookie: enter(account, exchange))
    }

    /// `interaction`, `action`: `accept` or `deny`.
    func consent(_ exchange: Exchange) throws(OAuthFault) -> HTTPAnswer {
        try exchange.require("POST")
        guard let (id, interaction) = interaction(exchange), let cookie = interaction.cookie,
            let session = sessions.value(cookie, now: now), let account = account(session.username)
        else { return stalePage }
        let request = interaction.request
        guard exchange.form["action"] == "accept" else { return cancel(id, request, number: 65_004) }
        let key = consentKey(request.clientID, account)
        let given = (consents.value(key, now: now) ?? []).union(request.scopes)
        consents.insert(given, for: key, expires: now + 31_536_000, now: now)
        interactions.remove(id, now: now)
        return complete(request, cookie: cookie)
    }

    /// - Parameter number: Microsoft's for a refused consent; other pages it leaves without one.
    private func cancel(_ id: String, _ request: ReceivedAuthorizationRequest, number: Int = 0) -> HTTPAnswer {
        interactions.remove(id, now: now)
        return refuse(request, OAuthFault("access_denied", "The person canceled.", number: number))
    }

    private func interaction(_ exchange: Exchange) -> (String, Interaction)? {
        guard let id = exchange.form["interaction"], let interaction = interactions.value(id, now: now) else {
            return nil
        }
        return (id, interaction)
    }

    /// The account whose name and password these are.
    func checked(_ form: ReceivedFields) -> DevelopmentAccount? {
        guard let name = form["username"]?.lowercased(), let password = form["password"] else { return nil }
        let account = account(name) ?? accounts.values.first { $0.email?.lowercased() == name }
        guard let account, SameText.compare(account.password, password) else { return nil }
        return account
    }

    /// Makes a session, or a fresh one of the same person's; returns its cookie.
    ///
    /// Another person's session in this browser lives on: signing in one person does not sign out another.
    func enter(_ account: DevelopmentAccount, _ exchange: Exchange) -> String { enter(account, session(exchange)) }

    func enter(_ account: DevelopmentAccount, _ found: (cookie: String, session: ProviderSession)?) -> String {
        if let (cookie, session) = found, session.username == account.username {
            let now = now
            sessions.change(cookie) { $0.authTime = now }
            return cookie
        }
        let cookie = Unguessable.text()
        sessions.insert(
            ProviderSession(id: Base64URL.encode(Unguessable.bytes(16)), username: account.username, authTime: now),
            for: cookie, expires: now + Double(options.sessionLifetime), now: now)
        return cookie
    }
}
