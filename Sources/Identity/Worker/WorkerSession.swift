import Logging
import Secrets
import Synchronization
import WebText

/// One worker's tokens, in memory only, from sign-in to sign-out.
public actor WorkerSession {
    /// Refreshes that can share an answer.
    struct RefreshKey: Hashable {
        /// `ScopeSet.key`.
        var scopes: Set<String>
        var claims: JSONValue?
        var isForced: Bool
    }

    public nonisolated let identity: WorkerIdentity

    nonisolated let party: RelyingParty
    /// Written here alone, and read from anywhere: an app that wants a token which is there does not wait.
    private nonisolated let held: Mutex<Holdings>
    /// Counts the sign-ins: an answer to an older sign-in's refresh token must not replace a newer one.
    var generation: UInt64 = 0
    /// What the last of them took over is good beside what it brought.
    var keepsOlderGeneration = false
    var isClosed = false
    var debt: SignOutDebt?
    /// The provider's session has ended, before the sign-out or in it.
    var ending: SignOutDebt.Evidence?
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
        party: RelyingParty, identity: WorkerIdentity, tokens: TokenAnswer, asked: ScopeSet,
        claims: JSONValue? = nil, received: Int64, correlationID: String
    ) {
        self.party = party
        self.identity = identity
        var holdings = Holdings(
            refreshToken: tokens.refreshToken, idToken: tokens.idToken, sessionID: identity.sessionID, scopes: asked,
            granted: tokens.scopes.map { ScopeSet(granted: $0) } ?? asked)
        holdings.isRefreshTokenUnused = true
        if let token = AccessToken(tokens, asked: asked, received: received, correlationID: correlationID) {
            _ = holdings.cache.store(token, asked: asked, claims: claims, now: received)
        } else {
            holdings.lacksAccessToken = true
        }
        held = Mutex(holdings)
    }

    init(party: RelyingParty, identity: WorkerIdentity, holdings: Holdings, isClosed: Bool) {
        self.party = party
        self.identity = identity
        held = Mutex(holdings)
        self.isClosed = isClosed
        debt = isClosed ? Self.debt(of: holdings, now: party.now) : nil
    }

    var holdings: Holdings {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }

    /// All that the provider has granted this worker here so far.
    public nonisolated var grantedScopes: [String] { held.withLock { $0.granted.list } }

    /// A token that is there and good for `leastLeft` seconds more; nil: ask `accessToken`. Needs no wait.
    public nonisolated func heldToken(_ wish: TokenWish) throws(IdentityError) -> HeldToken? {
        guard !wish.forceRefresh else { return nil }
        let claims = try wish.claimsKey()
        let holdings = held.withLock { $0 }
        let wanted = wish.scopes.isEmpty ? holdings.scopes : try ScopeSet(wish.scopes)
        let token = holdings.cache.token(for: wanted, claims: claims, now: party.now, left: Self.leastLeft)
        return token.map { HeldToken($0, wanted: wanted, in: holdings) }
    }

    private static func debt(of holdings: Holdings, now: Int64) -> SignOutDebt {
        SignOutDebt(
            refreshToken: holdings.refreshToken,
            others: holdings.tokens(now: now).filter { $0.token !== holdings.refreshToken },
            idToken: holdings.idToken, look: holdings.isRefreshTokenUnused ? .possible : .unknown)
    }

    public func setOnChange(_ action: (@Sendable () async -> Void)?) { onChange = action }

    func noteChange() {
        guard let onChange else { return }
        let previous = lastNotice
        lastNotice = Task(executorPreference: party.clock.executor) {
            await previous?.value
            await onChange()
        }
    }

    /// Ends the session here and says what the provider is to be told.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        debt = Self.debt(of: holdings, now: party.now)
        if let ending { debt?.end(ending) }
        // Whether a refresh that is under way has used the refresh token up, only its answer would tell.
        if !refreshes.isEmpty { debt?.look = .impossible }
        holdings.cache.removeAll()
        for waiting in refreshes.values { waiting.settle(.failure(IdentityError(.canceled))) }
        refreshes = [:]
    }
}
