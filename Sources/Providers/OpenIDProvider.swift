import BatonContract
package import DBus
package import Identity
import LinuxSystem
import Log
package import Logging
import Loopback
package import SessionMachine
package import Settings
import Synchronization
import SystemPackage
package import Vocabulary

/// Signs workers in and out at an OpenID Connect provider.
///
/// What the standards ask for is the business of `Identity`; here it is joined to the session: attempts become epochs,
/// epochs have tokens, and the end of an epoch is the end of its tokens.
package actor OpenIDProvider: IdentityProvider {
    package nonisolated let kind = IdentityKind.oidc
    package nonisolated let hasTokens = true
    package nonisolated let issuer: String
    package nonisolated let tenant: String

    let settings: OpenIDSettings
    let client: OpenIDClient
    let store: DescriptorStore
    let clock: Clock
    let thread: BusThread
    let log: Logger
    private let http: HTTPSExchange
    private let watched: WatchedExchange
    private let scope: Settings.Scope
    private let schemes: SchemeRegistry
    /// How long a sign-in may take, in seconds.
    private var lifetime: Int64
    /// The redirect URIs of the listed apps and Baton's own.
    private var redirectURIs: Set<String>
    private(set) var listener: LoopbackListener?
    private(set) var browser: BrowserSettings
    /// Log-out pages that are open in a worker's browser, and who waits for their end.
    var logOutPages: [Epoch: [AsyncStream<Void>.Continuation]] = [:]
    /// Epochs whose sign-out has its answer while such a page is still open.
    var late: Set<Epoch> = []
    /// The newest login of the turn, or of the one before.
    var lastLogin: Login?
    /// The provider let a worker in without asking who they are, or did not say whether it asked.
    var asksWithMaxAge = false

    /// Sign-ins that succeeded and have not been adopted or discarded.
    var arrived: [Attempt: Arrival] = [:]
    /// The tokens of each epoch that the provider has still to be told the end of; the turn's own among them.
    var sessions: [Epoch: EpochSession] = [:] {
        didSet {
            let open = sessions.mapValues(\.session)
            openSessions.withLock { $0 = open }
        }
    }
    /// The same, for who cannot wait.
    nonisolated let openSessions = Mutex<[Epoch: WorkerSession]>([:])
    /// What the token endpoint wants of the next page of a turn; without an epoch: of a free device's.
    var demand: (epoch: Epoch?, claims: DemandedClaims)?
    var hasNotedMissingClaims = false
    var retries: [Epoch: Task<Void, Never>] = [:]
    var keeper: Task<Void, Never>?
    var news: ProviderNews?
    /// Another has taken its place.
    private(set) var isRetired = false

    package init(
        _ settings: OpenIDSettings, of all: Settings, scope: Settings.Scope, environment: [String: String],
        clock: Clock, thread: BusThread, log: Logger
    ) throws(IdentityError) {
        self.settings = settings
        lifetime = all.signInTimeout.components.seconds
        self.scope = scope
        self.clock = clock
        self.thread = thread
        self.log = log
        schemes = SchemeRegistry(scope: scope, environment: environment)
        redirectURIs = Self.redirectURIs(of: all)
        browser = all.browser
        store = DescriptorStore(notice: ReadyNotice(socketPath: environment["NOTIFY_SOCKET"]))
        let client = try ClientSettings(settings)
        issuer = client.authority.url
        tenant = client.authority.tenantName
        http = try HTTPSExchange(
            requestTimeout: settings.requestTimeout, caFile: settings.caFile?.string, proxy: settings.proxy,
            sleep: { duration in try await thread.sleep(for: duration) })
        watched = WatchedExchange(http, clock: clock)
        self.client = OpenIDClient(settings: client, http: watched, clock: .system(clock, thread), log: log)
    }

    package nonisolated var look: ProviderLook? { watched.look }

    package func start(_ news: ProviderNews, _ state: ProviderStart) async {
        self.news = news
        watched.tell(news.looked)
        for limit in client.settings.authority.limits {
            log.info("of this kind of authority", metadata: ["limit": "\(limit)"])
        }
        // Before any caller can say anything about them.
        await restore(state)
        // With a fixed port the provider may send log-out notices at any time; else the first sign-in opens one.
        if settings.loopbackPort != 0, await loopback().port() == nil {
            log.error("another program has the loopback port", metadata: ["port": "\(settings.loopbackPort)"])
        }
    }

    package func update(_ settings: Settings) {
        lifetime = settings.signInTimeout.components.seconds
        redirectURIs = Self.redirectURIs(of: settings)
        browser = settings.browser
    }

    private static func redirectURIs(of settings: Settings) -> Set<String> {
        Set(settings.apps.compactMap(\.redirectURI)).union([Tokens.ownRedirectURI])
    }

    package func retire() async {
        isRetired = true
        keeper?.cancel()
        await listener?.stop()
        listener = nil
        if retries.isEmpty { await stop() }
    }

    package func stop() async {
        news = nil
        keeper?.cancel()
        for retry in retries.values { retry.cancel() }
        await listener?.stop()
        await http.shutdown()
    }

    package func signIn(_ run: SignInRun) async throws(Refusal) -> TurnAccount {
        do {
            try await refuseDevelopmentProvider()
            let signedIn =
                switch run.request.method {
                case .browser: try await signInByBrowser(run)
                case .deviceCode: try await signInByCode(run)
                }
            return try await arrive(signedIn, of: run)
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as IdentityError {
            log.tell(.signInFailed, .notice, "a sign-in failed", ["cause": "\(error.text)"])
            note(error.claims, of: run)
            throw refusal(error, of: run)
        } catch {
            throw .failed
        }
    }

    private func signInByBrowser(_ run: SignInRun) async throws -> SignedIn {
        let own = run.request.redirectURI == nil ? ownRedirectURI : nil
        let redirectURI = if let own { own } else { try await redirectURI(run.request) }
        var request = request(run, redirectURI: redirectURI)
        // If a browser is not managed, it is not known whose session is still in it: every worker shows who they are. One
        // that is managed had no worker before.
        let isForApp = run.holder != nil && run.request.token != nil
        if !isForApp, own == nil || run.holder != nil {
            request.prompt = request.prompt ?? .login
            request.needsFreshLogin = true
            request.asksWithMaxAge = asksWithMaxAge
        }
        do {
            return try await signIn(run, request, own)
        } catch let error as IdentityError where asksAgain(error, request) {
            request.asksWithMaxAge = true
            return try await signIn(run, request, own)
        }
    }

    private func signIn(
        _ run: SignInRun, _ request: AuthorizationRequest, _ own: String?
    ) async throws -> SignedIn {
        let start = clock.now().boottime
        let pending = try await client.begin(request)
        let step = SignInStep(
            kind: .openURL, url: pending.url, opener: own == nil ? .caller : .agent,
            expires: microseconds(pending.expires))
        do {
            try check(step)
            if own != nil { try await run.open(step.url) }
            await run.step(step)
        } catch {
            await client.abandon(pending)
            throw error
        }
        let signedIn = try await client.finish(pending)
        if run.holder == nil { try await refuseLastLogin(signedIn, asked: start) }
        return signedIn
    }

    private func signInByCode(_ run: SignInRun) async throws -> SignedIn {
        let pending = try await client.beginDevice(request(run, redirectURI: ""))
        // Whichever comes first: the provider's patience or ours.
        let (end, overflow) = (clock.now().wall / 1_000_000).addingReportingOverflow(lifetime)
        let step = SignInStep(
            kind: .deviceCode, url: pending.verificationURI, userCode: pending.userCode,
            verificationURIComplete: pending.verificationURIComplete ?? "",
            expires: microseconds(overflow ? pending.expires : min(pending.expires, end)))
        try check(step)
        await run.step(step)
        return try await client.finish(pending)
    }

    /// A step that cannot be acted on would leave the worker waiting for nothing.
    private func check(_ step: SignInStep) throws(Refusal) {
        guard SignInStep(step.dictionary) != nil else {
            throw .providerRejected(
                "The identity provider's sign-in address cannot be opened: it is not an https address, or "
                    + "too long.")
        }
    }

    private func request(_ run: SignInRun, redirectURI: String) -> AuthorizationRequest {
        var request = AuthorizationRequest(redirectURI: redirectURI)
        request.prompt = run.request.prompt.map { AuthorizationRequest.Prompt($0) }
        request.maxAge = run.request.maxAge
        request.lifetime = lifetime
        request.loginHint = run.request.loginHint ?? run.holder?.attributes["username"]
        request.domainHint = run.request.domainHint
        if let id = run.request.correlationID { request.correlationID = id }
        // Who comes back to a locked screen shows who they are, and brings nothing along.
        request.isProofOnly = run.request.unlocks
        guard !run.request.unlocks else { return request }
        addPage(of: run, to: &request)
        addDemand(of: run, to: &request)
        return request
    }

    private func redirectURI(_ request: SignInRequest) async throws(Refusal) -> String {
        guard let wanted = request.redirectURI else {
            guard let port = await loopback().port() else {
                throw .invalidRedirectURI(
                    "Another program has the loopback port \(settings.loopbackPort). Set \(SettingsKey.identityLoopbackPort) to "
                        + "another one, or to 0.")
            }
            return "http://127.0.0.1:\(port)\(LoopbackListener.Paths.redirect)"
        }
        do throws(RedirectURI.Fault) {
            try RedirectURI.check(wanted)
        } catch {
            throw .invalidRedirectURI("The redirect URI \(error).")
        }
        guard redirectURIs.contains(wanted) else {
            throw .invalidRedirectURI("No app of this device has this redirect URI. Put it into the app's file.")
        }
        let scheme = String(wanted.prefix { $0 != ":" }).lowercased()
        guard ["http", "https"].contains(scheme) || schemes.isRegistered(scheme) else {
            throw .redirectSchemeNotRegistered(
                "No program handles \(scheme): on this machine. Run `batonctl apps install-scheme`.")
        }
        return wanted
    }

    private func refuseDevelopmentProvider() async throws {
        guard scope == .system, try await client.metadata().isDevelopmentProvider else { return }
        throw Refusal.providerRejected(
            "This is Baton's development provider. It is for trying out on the session bus, never for a device in use.")
    }

    package nonisolated func knows(_ holder: TurnAccount) -> Bool {
        client.settings.authority.mayBeIssuer(String(holder.id.prefix { $0 != "#" }))
    }

    package func handle(response url: String) async -> Bool { await client.deliver(url) == .accepted }

    private func loopback() -> LoopbackListener {
        if let listener { return listener }
        let client = client
        let made = LoopbackListener(
            port: settings.loopbackPort,
            receiver: LoopbackListener.Receiver(
                redirect: { url in await client.deliver(url) == .accepted },
                frontChannel: { [weak self] issuer, session in
                    guard let self else { return false }
                    return await notice(
                        LogoutNotice.frontChannelNotice(issuer: issuer, sessionID: session), isSigned: false)
                },
                backChannel: { [weak self] form in
                    guard let self, let token = LogoutNotice.token(inForm: form),
                        let notice = try? await client.verifyLogoutToken(token)
                    else { return false }
                    _ = await self.notice(notice, isSigned: true)
                    return true
                }), executor: thread.tasks, log: log)
        listener = made
        return made
    }

    /// Unix time in seconds, as microseconds.
    private func microseconds(_ seconds: Int64) -> UInt64 {
        let (product, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000)
        return overflow ? 0 : product
    }
}
