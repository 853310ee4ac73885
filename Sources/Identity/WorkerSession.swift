internal import Logging
internal import Secrets

/// One worker's tokens, in memory only, from sign-in to sign-out.
public actor WorkerSession {
    /// What a session holds; it goes over whole when a sign-in again replaces it.
    struct Holdings: Sendable {
        var refreshToken: Secret?
        var idToken: Secret?
        var sessionID: String
        /// Asked for at sign-in, and what was granted then.
        var scopes: ScopeSet
        var granted: ScopeSet
        var cache = TokenCache()
    }

    /// Refreshes that can share an answer.
    struct RefreshKey: Hashable {
        /// `ScopeSet.key`.
        var scopes: Set<String>
        var isForced: Bool
    }

    public nonisolated let identity: WorkerIdentity

    nonisolated let party: RelyingParty
    var holdings: Holdings
    /// Counts the sign-ins: an answer to an older sign-in's refresh token must not replace a newer one.
    var generation: UInt64 = 0
    var isClosed = false
    var debt: SignOutDebt?
    var refreshes: [RefreshKey: SharedAnswer<AccessToken>] = [:]
    /// The last one: they run one after the other, since a refresh token that rotates works once.
    var lastRefresh: Task<Void, Never>?
    private var lastNotice: Task<Void, Never>?

    /// Called after each change of what `sealed` returns, one call after the other.
    public private(set) var onChange: (@Sendable () async -> Void)?

    /// The provider's session, newest known, for front- and back-channel log-out; empty where it says none.
    public var sessionID: String { holdings.sessionID }

    /// Whether the provider's word that a session has ended is about this one.
    public func isMeant(by notice: LogoutNotice) -> Bool {
        var newest = identity
        newest.sessionID = holdings.sessionID
        return notice.concerns(newest)
    }

    init(
        party: RelyingParty, identity: WorkerIdentity, tokens: TokenAnswer, asked: ScopeSet, received: Int64,
        correlationID: String
    ) {
        self.party = party
        self.identity = identity
        let token = AccessToken(tokens, asked: asked, received: received, correlationID: correlationID)
        holdings = Holdings(
            refreshToken: tokens.refreshToken, idToken: tokens.idToken, sessionID: identity.sessionID, scopes: asked,
            granted: tokens.scopes.map { ScopeSet(granted: $0) } ?? asked)
        holdings.cache.store(token, asked: asked, now: received)
    }

    init(party: RelyingParty, identity: WorkerIdentity, holdings: Holdings, isClosed: Bool) {
        self.party = party
        self.identity = identity
        self.holdings = holdings
        self.isClosed = isClosed
        debt = isClosed ? Self.debt(of: holdings, now: party.now) : nil
    }

    private static func debt(of holdings: Holdings, now: Int64) -> SignOutDebt {
        SignOutDebt(
            refreshToken: holdings.refreshToken, accessTokens: holdings.cache.tokens(now: now),
            idToken: holdings.idToken)
    }

    public func setOnChange(_ action: (@Sendable () async -> Void)?) { onChange = action }

    func noteChange() {
        guard let onChange else { return }
        let previous = lastNotice
        lastNotice = Task {
            await previous?.value
            await onChange()
        }
    }

    /// Ends the session here and says what the provider is to be told.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        debt = Self.debt(of: holdings, now: party.now)
        holdings.cache.removeAll()
        for waiting in refreshes.values { waiting.settle(.failure(IdentityError(.canceled))) }
        refreshes = [:]
    }

    /// Takes over the tokens of a new sign-in of the same worker; the older refresh token is revoked in the background.
    ///
    /// The other session is closed. One of another worker changes nothing here and is discarded.
    public func replace(with other: WorkerSession) async {
        guard other !== self else { return }
        guard !isClosed, other.identity.issuer == identity.issuer, other.identity.subject == identity.subject else {
            return await other.discard()
        }
        guard let newer = await other.handOver() else { return }
        guard !isClosed else {
            party.forget(newer.tokens(now: party.now))
            return
        }
        let older = holdings
        holdings = newer
        generation &+= 1
        if newer.refreshToken == nil { holdings.refreshToken = older.refreshToken }
        if newer.idToken == nil { holdings.idToken = older.idToken }
        if newer.sessionID.isEmpty { holdings.sessionID = older.sessionID }
        if let token = older.refreshToken, let new = newer.refreshToken, token != new {
            party.forget([(token, .refreshToken)])
        }
        noteChange()
    }

    private func handOver() async -> Holdings? {
        await lastRefresh?.value
        guard !isClosed else { return nil }
        let holdings = holdings
        close()
        debt = nil
        return holdings
    }
}

extension WorkerSession.Holdings {
    /// What a provider can revoke, the longest-lived first.
    func tokens(now: Int64) -> [(token: Secret, hint: TokenHint)] {
        (refreshToken.map { [($0, .refreshToken)] } ?? []) + cache.tokens(now: now).map { ($0, .accessToken) }
    }
}
