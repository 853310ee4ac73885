import Secrets

extension WorkerSession {
    /// What a session holds; it goes over whole when a sign-in again replaces it.
    struct Holdings: Sendable {
        var refreshToken: Secret?
        /// The refresh token came with the last answer, and no request has used it since.
        var isRefreshTokenUnused = false
        /// Refresh tokens of other sign-ins that stay good until the turn ends: apps may have tokens that hang on them.
        var olderRefreshTokens: [Secret] = []
        private(set) var idToken: Secret?
        /// What the ID token says, as text.
        private(set) var claims = ""
        var sessionID: String
        /// Asked for at sign-in, and what was granted then and later.
        var scopes: ScopeSet
        var granted: ScopeSet
        /// The refresh token is good for more than was asked for at sign-in.
        var isWidened = false
        var cache = TokenCache()
        /// The scopes of the sign-in bring an ID token and no access token.
        var lacksAccessToken = false

        static let mostOlder = 32
        /// Of these what a worker only showed themselves with takes no more than half of the room.
        static let mostHeld = 16

        init(
            refreshToken: Secret?, idToken: Secret?, sessionID: String, scopes: ScopeSet, granted: ScopeSet
        ) {
            self.refreshToken = refreshToken
            self.sessionID = sessionID
            self.scopes = scopes
            self.granted = granted
            take(idToken: idToken)
        }

        /// - Parameter idToken: A verified one.
        mutating func take(idToken: Secret?) {
            self.idToken = idToken
            claims = idToken.flatMap(PlainClaims.text) ?? ""
        }

        /// What a provider can revoke, the longest-lived first.
        func tokens(now: Int64) -> [(token: Secret, hint: TokenHint)] {
            let refresh = (refreshToken.map { [$0] } ?? []) + olderRefreshTokens
            return refresh.map { ($0, .refreshToken) } + cache.tokens(now: now).map { ($0.token, .accessToken) }
        }
    }

    /// Takes over what the same worker allowed beside their sign-in: what was there before stays good, and the provider
    /// hears of all of it when the turn ends.
    ///
    /// The other session is closed. One of another worker changes nothing here and is discarded.
    public func join(_ other: WorkerSession) async {
        guard let newer = await takeOver(other) else { return }
        let older = holdings
        var joined = newer
        joined.scopes = older.scopes
        joined.granted = older.granted
        joined.granted.add(newer.granted.list)
        joined.isWidened = true
        joined.olderRefreshTokens = older.olderRefreshTokens
        joined.cache = older.cache
        forget(joined.cache.add(newer: newer.cache))
        fill(&joined, from: older)
        holdings = joined
        generation &+= 1
        keepsOlderGeneration = true
        if let token = older.refreshToken, token != joined.refreshToken { retire(token) }
        noteChange()
    }

    /// Takes over the tokens of a new sign-in of the same worker. The older ones are revoked with the turn and not before: with a token that
    /// is revoked a provider may end all that hangs on its session (RFC 7009, section 2.1), which the new sign-in may share.
    ///
    /// The other session is closed. One of another worker changes nothing here and is discarded.
    public func replace(with other: WorkerSession) async {
        guard let newer = await takeOver(other) else { return }
        let older = holdings
        var replaced = newer
        fill(&replaced, from: older)
        replaced.olderRefreshTokens = older.olderRefreshTokens
        forget(replaced.cache.remember(older.cache.tokens(now: party.now)))
        holdings = replaced
        generation &+= 1
        keepsOlderGeneration = false
        if let token = older.refreshToken, token != replaced.refreshToken { retire(token) }
        noteChange()
    }

    /// Keeps what the same worker showed themselves with, beside what the turn has, to be revoked with it as in `replace`. It hangs on a
    /// session of the provider's, so that what there is no room for ends by itself.
    ///
    /// The other session is closed. One of another worker changes nothing here and is discarded.
    public func hold(_ other: WorkerSession) async {
        guard let shown = await takeOver(other) else { return }
        _ = holdings.cache.remember(shown.cache.tokens(now: party.now))
        let known = [holdings.refreshToken].compactMap(\.self) + holdings.olderRefreshTokens
        let new = (shown.olderRefreshTokens + [shown.refreshToken].compactMap(\.self)).filter { !known.contains($0) }
        holdings.olderRefreshTokens += new.prefix(max(0, Holdings.mostHeld - holdings.olderRefreshTokens.count))
        noteChange()
    }

    /// Keeps a refresh token until the turn ends; only so many.
    func retire(_ token: Secret) {
        holdings.olderRefreshTokens.append(token)
        guard holdings.olderRefreshTokens.count > Holdings.mostOlder else { return }
        party.forget([(holdings.olderRefreshTokens.removeFirst(), .refreshToken)])
    }

    /// Revokes access tokens that there is no room to remember.
    func forget(_ tokens: [AccessToken]) { party.forget(tokens.map { ($0.token, .accessToken) }) }

    /// What another session of the same worker holds; that session is closed.
    private func takeOver(_ other: WorkerSession) async -> Holdings? {
        guard other !== self else { return nil }
        guard !isClosed, other.identity.issuer == identity.issuer, other.identity.subject == identity.subject else {
            await other.discard()
            return nil
        }
        guard let newer = await other.handOver() else { return nil }
        guard !isClosed else {
            party.forget(newer.tokens(now: party.now))
            return nil
        }
        return newer
    }

    private func fill(_ newer: inout Holdings, from older: Holdings) {
        if newer.refreshToken == nil {
            newer.refreshToken = older.refreshToken
            newer.isRefreshTokenUnused = older.isRefreshTokenUnused
        }
        if newer.idToken == nil { newer.take(idToken: older.idToken) }
        if newer.sessionID.isEmpty { newer.sessionID = older.sessionID }
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
