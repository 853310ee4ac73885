import FoundationEssentials
import WebText

/// The provider itself: its accounts, keys, sessions and tokens, and what it answers.
actor AuthorizationServer {
    let options: ProviderOptions
    let layout: Layout
    let tenants: Tenants
    let clock: @Sendable () -> Double
    let logouts: LogoutDelivery
    /// `http://127.0.0.1:40123`, known once the port is bound.
    private(set) var base = ""

    var misconduct: Misconduct
    var keys: ProviderSigningKeys
    var accounts: [String: DevelopmentAccount]

    var sessions = BoundedStore<ProviderSession>(capacity: 1000)
    var interactions = BoundedStore<Interaction>(capacity: 1000)
    var logoutInteractions = BoundedStore<LogoutInteraction>(capacity: 1000)
    var pushed = BoundedStore<ReceivedAuthorizationRequest>(capacity: 1000)
    var codes = BoundedStore<IssuedCode>(capacity: 2000)
    var accessTokens = BoundedStore<IssuedAccessToken>(capacity: 10_000)
    var refreshTokens = BoundedStore<RefreshToken>(capacity: 10_000)
    /// By user code.
    var devices = BoundedStore<DeviceGrant>(capacity: 1000)
    var assertions = BoundedStore<Bool>(capacity: 10_000)
    /// What a person consented to: `client user`.
    var consents = BoundedStore<Set<String>>(capacity: 1000)

    /// Who answers the next authorization requests; browsers without a person at the keyboard need that.
    var nextPeople: [String] = []

    var counts: [Endpoint: Int] = [:]
    var logoutTokensQueued = 0
    private var hostileTurn = 0
    var lastAuthorization = JSONValue.null

    init(_ options: ProviderOptions, logouts: LogoutDelivery, clock: @escaping @Sendable () -> Double) throws {
        self.options = options
        self.logouts = logouts
        self.clock = clock
        layout = Layout(kind: options.kind)
        tenants = Tenants(kind: options.kind, home: options.tenant, accounts: options.accounts)
        misconduct = options.misconduct
        keys = try options.keys ?? ProviderSigningKeys()
        accounts = Dictionary(options.accounts.map { ($0.username.lowercased(), $0) }) { first, _ in first }
    }

    func start(at base: String) { self.base = base }

    var homeIssuer: String { tenants.issuer(base, tenant: tenants.home) }
    var now: Double {
        clock() + (misconduct.contains(.clockAhead) ? 3600 : misconduct.contains(.clockBehind) ? -3600 : 0)
    }
    var isSecure: Bool { base.hasPrefix("https:") }

    /// What a request meets on the wire, before and after it is answered.
    func conduct(at endpoint: Endpoint) -> WireConduct {
        counts[endpoint, default: 0] &+= 1
        let conduct = WireConduct(misconduct, at: endpoint, turn: hostileTurn)
        if conduct.hostileField != nil { hostileTurn &+= 1 }
        return conduct
    }

    func answer(_ exchange: Exchange) async -> HTTPAnswer {
        do throws(OAuthFault) {
            guard layout.has(exchange.route.endpoint), !isHidden(exchange.route.endpoint) else { throw .notFound }
            if let tenant = exchange.route.tenant, layout.kind.hasTenants { _ = try tenants.resolve(tenant) }
            return try await dispatch(exchange)
        } catch {
            return exchange.route.endpoint.isForPeople ? errorPage(error) : errorAnswer(error, exchange)
        }
    }

    private func dispatch(_ exchange: Exchange) async throws(OAuthFault) -> HTTPAnswer {
        switch exchange.route.endpoint {
        case .discovery: try discovery(exchange)
        case .keys: .json(keys.document(of: keyIssuer))
        case .authorize: authorize(exchange)
        case .pushedAuthorization: try await pushAuthorization(exchange)
        case .token: try await token(exchange)
        case .userinfo: userInfo(exchange)
        case .me: me(exchange)
        case .revoke: try await revoke(exchange)
        case .deviceAuthorization: try await deviceAuthorization(exchange)
        case .logout: try logout(exchange)
        case .logoutConfirmation: try confirmLogout(exchange)
        case .signIn: try signIn(exchange)
        case .selection: try select(exchange)
        case .creation: try create(exchange)
        case .consent: try consent(exchange)
        case .deviceUser: try device(exchange)
        case .deviceSignIn: try deviceSignIn(exchange)
        case .control: try control(exchange)
        }
    }

    /// Endpoints that a misbehaviour takes away.
    func isHidden(_ endpoint: Endpoint) -> Bool {
        switch endpoint {
        case .revoke: misconduct.contains(.noRevocationEndpoint)
        case .logout: misconduct.contains(.noEndSessionEndpoint)
        case .deviceAuthorization: misconduct.contains(.noDeviceEndpoint)
        case .pushedAuthorization: misconduct.contains(.noPushedAuthorization)
        default: false
        }
    }

    func address(_ endpoint: Endpoint, beside route: Route) -> String? {
        guard !isHidden(endpoint) else { return nil }
        return layout.path(endpoint, beside: route).map { base + $0 }
    }

    func account(_ username: String) -> DevelopmentAccount? { accounts[username.lowercased()] }

    /// The session of a browser, if its account is still there.
    func session(_ exchange: Exchange) -> (cookie: String, session: ProviderSession)? {
        guard let cookie = exchange.sessionCookie, let session = sessions.value(cookie, now: now),
            account(session.username) != nil
        else { return nil }
        return (cookie, session)
    }

    /// The error in the words of the kind that is played.
    func errorAnswer(_ fault: OAuthFault, _ exchange: Exchange) -> HTTPAnswer {
        var members: [String: JSONValue] = [
            "error": .string(fault.code), "error_description": .string(fault.description),
        ]
        if layout.kind.speaksMicrosoft {
            let time = Date(timeIntervalSince1970: now).formatted(.iso8601)
            let trace = UUID().uuidString.lowercased()
            members["error_description"] = .string(
                "AADSTS\(fault.number): \(fault.description) Trace ID: \(trace) "
                    + "Correlation ID: \(exchange.correlationID) Timestamp: \(time)")
            members["error_codes"] = [.integer(Int64(fault.number))]
            members["timestamp"] = .string(time)
            members["trace_id"] = .string(trace)
            members["correlation_id"] = .string(exchange.correlationID)
            members["error_uri"] = .string("\(base)/error?code=\(fault.number)")
            if let suberror = fault.suberror { members["suberror"] = .string(suberror) }
        }
        if let claims = fault.claims { members["claims"] = .string(claims) }
        var answer = HTTPAnswer.json(.object(members), status: fault.status)
        if fault.status == 401 {
            let scheme = exchange.authorization?.lowercased().hasPrefix("basic") == true ? "Basic" : "Bearer"
            answer.headers.append(("www-authenticate", "\(scheme) realm=\"baton-devidp\", error=\"\(fault.code)\""))
        }
        return answer
    }
}
