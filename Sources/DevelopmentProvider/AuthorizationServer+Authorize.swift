import FoundationEssentials
import WebText

extension AuthorizationServer {
    /// The authorization endpoint (OpenID Connect Core, section 3.1.2). Its faults are pages or redirects, no JSON.
    func authorize(_ exchange: Exchange) -> HTTPAnswer {
        guard exchange.method == "GET" || exchange.method == "POST" else { return errorPage(.wrongMethod) }
        do throws(RequestFault) {
            let request = try received(exchange)
            note(request)
            return proceed(request, session(exchange))
        } catch {
            switch error {
            case .page(let fault): return errorPage(fault)
            case .redirect(let fault, let uri, let mode, let state):
                return respond(
                    [("error", fault.code), ("error_description", redirected(fault))], to: uri, mode: mode,
                    state: state, route: exchange.route, account: nil)
            }
        }
    }

    private func received(_ exchange: Exchange) throws(RequestFault) -> ReceivedAuthorizationRequest {
        let form = exchange.parameters
        if let name = form["request_uri"] {
            // Each can be used once (RFC 9126, section 7.3).
            guard !isHidden(.pushedAuthorization), let request = pushed.remove(name, now: now),
                request.clientID == form["client_id"]
            else { throw .page(OAuthFault("invalid_request_uri", "The pushed request is not there any more.")) }
            return request
        }
        let request = try read(form, exchange.route)
        if client(request.clientID)?.requiresPushedAuthorization == true {
            throw .redirect(
                .invalidRequest("This client must push its requests."), uri: request.redirectURI,
                mode: request.responseMode, state: request.state)
        }
        return request
    }

    /// What tests want to know of the last request; nothing of it is secret.
    private func note(_ request: ReceivedAuthorizationRequest) {
        lastAuthorization = [
            "client_id": .string(request.clientID), "redirect_uri": .string(request.redirectURI),
            "scope": .strings(request.scopes), "prompt": .strings(request.prompts.sorted()),
            "login_hint": request.loginHint.map { .string($0) } ?? .null,
            "domain_hint": request.domainHint.map { .string($0) } ?? .null,
            "max_age": request.maxAge.map { .integer(Int64($0)) } ?? .null, "claims": request.claims ?? .null,
            "pushed": .boolean(request.isPushed), "response_mode": .string(request.responseMode.rawValue),
        ]
    }

    /// Decides what a request needs next: a password, a choice, a consent, or nothing any more.
    func proceed(_ request: ReceivedAuthorizationRequest, _ found: (cookie: String, session: ProviderSession)?)
        -> HTTPAnswer
    {
        let usable = found.flatMap { isUsable($0.session, for: request) ? $0 : nil }
        if request.prompts.contains("none") {
            guard let usable, let account = account(usable.session.username) else {
                return refuse(request, OAuthFault("login_required", "No user is signed in here.", number: 50_058))
            }
            if needsConsent(request, account) {
                return refuse(request, OAuthFault("consent_required", "The person must consent.", number: 65_001))
            }
            return complete(request, cookie: usable.cookie)
        }
        let interaction = Unguessable.text()
        interactions.insert(Interaction(request: request), for: interaction, expires: now + 1800, now: now)
        if request.prompts.contains("create") { return .page(Page.creation(interaction: interaction)) }
        let asksForChoice = request.prompts.contains("select_account") && found != nil
        if usable == nil || asksForChoice, let account = nextPerson(for: request) {
            return advance(interaction, cookie: enter(account, found))
        }
        if request.prompts.contains("select_account"), let found, let account = account(found.session.username) {
            interactions.change(interaction) { $0.cookie = found.cookie }
            return .page(Page.selection(interaction: interaction, account: account))
        }
        guard let usable else { return signInPage(interaction, request) }
        return advance(interaction, cookie: usable.cookie)
    }

    /// Who signs in without the pages, as `/control/sign-in` said; each was said for one request.
    private func nextPerson(for request: ReceivedAuthorizationRequest) -> DevelopmentAccount? {
        guard let next = nextPeople.first else { return nil }
        nextPeople.removeFirst()
        return account(next).flatMap { tenants.admits($0, at: request.route) ? $0 : nil }
    }

    func signInPage(_ interaction: String, _ request: ReceivedAuthorizationRequest, alert: String? = nil) -> HTTPAnswer
    {
        .page(
            Page.signIn(
                interaction: interaction, client: request.clientID, username: request.loginHint ?? "", alert: alert),
            status: alert == nil ? 200 : 401)
    }

    /// After the person is known: consent, or the code.
    func advance(_ interaction: String, cookie: String) -> HTTPAnswer {
        guard let request = interactions.value(interaction, now: now)?.request,
            let session = sessions.value(cookie, now: now), let account = account(session.username)
        else { return stalePage }
        if misconduct.contains(.adminConsentRequired) {
            interactions.remove(interaction, now: now)
            return refuse(
                request,
                layout.kind.speaksMicrosoft
                    ? OAuthFault("access_denied", "An administrator must consent.", number: 90_094)
                    : administratorWanted
            ).with(cookie: cookie, lifetime: options.sessionLifetime, secure: isSecure)
        }
        if needsConsent(request, account) || request.prompts.contains("consent") {
            interactions.change(interaction) { $0.cookie = cookie }
            return .page(
                Page.consent(
                    interaction: interaction, client: request.clientID, account: account.name, scopes: request.scopes)
            )
            .with(cookie: cookie, lifetime: options.sessionLifetime, secure: isSecure)
        }
        interactions.remove(interaction, now: now)
        return complete(request, cookie: cookie)
    }

    private func isUsable(_ session: ProviderSession, for request: ReceivedAuthorizationRequest) -> Bool {
        guard let account = account(session.username), tenants.admits(account, at: request.route) else { return false }
        if let hint = request.loginHint?.lowercased(), hint != account.username.lowercased(),
            hint != account.email?.lowercased(), request.loginHint != account.loginHint
        {
            return false
        }
        if let subject = request.subject, subject != account.stableSubject { return false }
        if misconduct.contains(.oldAuthTime) { return true }
        let isRecent = now - session.authTime < 300
        if isRecent, misconduct.contains(.recentLoginSuffices), (request.maxAge ?? 0) == 0 { return true }
        if request.prompts.contains("login") { return false }
        if let maxAge = request.maxAge, now - session.authTime >= Double(maxAge) { return false }
        return true
    }

    func needsConsent(_ request: ReceivedAuthorizationRequest, _ account: DevelopmentAccount) -> Bool {
        if misconduct.contains(.consentRequired) { return true }
        guard client(request.clientID)?.asksConsent == true else { return false }
        let given = consents.value(consentKey(request.clientID, account), now: now) ?? []
        return !given.isSuperset(of: request.scopes)
    }

    func consentKey(_ clientID: String, _ account: DevelopmentAccount) -> String { "\(clientID) \(account.username)" }

    /// Sends the code.
    func complete(_ request: ReceivedAuthorizationRequest, cookie: String) -> HTTPAnswer {
        guard let session = sessions.value(cookie, now: now), let account = account(session.username) else {
            return stalePage
        }
        sessions.change(cookie) { session in
            if session.clients.count < ProviderSession.mostClients { session.clients.insert(request.clientID) }
        }
        let grant = Grant(
            clientID: request.clientID, username: account.username, scopes: granted(of: request.scopes),
            sessionID: session.id,
            authTime: session.authTime, nonce: request.nonce, route: request.route, family: Unguessable.text(),
            meetsClaims: Self.meetDemand(request.claims))
        let code = marked("code")
        codes.insert(
            IssuedCode(
                grant: grant, redirectURI: request.redirectURI, challenge: request.challenge,
                wantsClientInfo: request.wantsClientInfo),
            for: code, expires: now + 120, now: now)
        return respond(
            [("code", code)], to: request.redirectURI, mode: request.responseMode, state: request.state,
            route: request.route, account: account
        )
        .with(cookie: cookie, lifetime: options.sessionLifetime, secure: isSecure)
    }

    func refuse(_ request: ReceivedAuthorizationRequest, _ fault: OAuthFault) -> HTTPAnswer {
        respond(
            [("error", fault.code), ("error_description", redirected(fault))], to: request.redirectURI,
            mode: request.responseMode, state: request.state, route: request.route, account: nil)
    }

    /// The authorization answer, with `state` and `iss` (RFC 9207).
    private func respond(
        _ pairs: [(name: String, value: String)], to uri: String, mode: ReceivedAuthorizationRequest.ResponseMode,
        state: String?,
        route: Route, account: DevelopmentAccount?
    ) -> HTTPAnswer {
        var pairs = pairs
        if let state { pairs.append(("state", misconduct.contains(.wrongState) ? Unguessable.text() : state)) }
        if misconduct.contains(.wrongIssuerInAnswer) {
            pairs.append(("iss", "https://issuer.example"))
        } else if layout.kind == .openid, !misconduct.contains(.noIssuerInAnswer) {
            pairs.append(("iss", tenants.issuer(base, tenant: tenants.home)))
        }
        return switch mode {
        case .query: .redirect(FormText.address(uri, adding: pairs))
        case .fragment: .redirect(uri + "#" + FormText.encoded(pairs))
        case .formPost: .page(Page.formPost(uri, pairs))
        }
    }

    /// Microsoft's have lines of their own for its support.
    private func redirected(_ fault: OAuthFault) -> String {
        guard layout.kind.speaksMicrosoft else { return described(fault) }
        let time = Date(timeIntervalSince1970: now).formatted(.iso8601)
        let ids = [UUID(), UUID()].map { $0.uuidString.lowercased() }
        return described(fault)
            + "\r\nTrace ID: \(ids[0])\r\nCorrelation ID: \(ids[1])\r\nTimestamp: \(time)"
    }

    private func described(_ fault: OAuthFault) -> String {
        switch layout.kind {
        case .b2c where fault.code == "access_denied":
            "AADB2C90091: The user has cancelled entering self-asserted information."
        case .entra, .external, .b2c:
            fault.number == 0 ? fault.description : "AADSTS\(fault.number): \(fault.description)"
        case .openid, .adfs: fault.description
        }
    }

    func errorPage(_ fault: OAuthFault) -> HTTPAnswer {
        .page(Page.message("This request cannot be used", described(fault)), status: fault.status)
    }

    var stalePage: HTTPAnswer {
        .page(Page.message("Too late", "This page is not valid any more. Start again in the app."), status: 400)
    }
}
