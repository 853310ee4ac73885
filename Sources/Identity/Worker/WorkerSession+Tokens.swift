import Logging
import Secrets
import WebText

extension WorkerSession {
    /// A token is handed out while it is good for at least this many seconds.
    public static let leastLeft: Int64 = 300

    /// Different refreshes that may wait at once; a caller that makes up scopes cannot make more.
    private static let mostRefreshes = 64

    /// A token for these scopes; none: those of the sign-in.
    ///
    /// All who want the same share one refresh, and one who stops waiting does not end it for the others. While the
    /// provider cannot be reached, a token that is still good is handed out, unless `forceRefresh` says it is not.
    ///
    /// - Throws: `interactionRequired` when only the worker can go on; `canceled` after sign-out; what the provider or
    ///   the network said.
    public func accessToken(
        scopes: [String], forceRefresh: Bool = false, correlationID: String
    ) async throws(IdentityError) -> AccessToken {
        try await token(TokenWish(scopes: scopes, forceRefresh: forceRefresh, correlationID: correlationID)).token
    }

    /// The same with what else an app is told.
    public func token(_ wish: TokenWish) async throws(IdentityError) -> HeldToken {
        let wanted = Wanted(
            scopes: wish.scopes.isEmpty ? holdings.scopes : try ScopeSet(wish.scopes),
            claims: try wish.claimsKey(), claimsText: wish.claims)
        let token = try await token(wanted, wish.forceRefresh, wish.correlationID)
        // The turn may have ended while this waited.
        guard !isClosed else { throw IdentityError(.canceled, correlationID: wish.correlationID) }
        return HeldToken(token, wanted: wanted.scopes, in: holdings)
    }

    private func token(
        _ wanted: Wanted, _ forceRefresh: Bool, _ correlationID: String
    ) async throws(IdentityError) -> AccessToken {
        guard !isClosed else { throw IdentityError(.canceled, correlationID: correlationID) }
        if !forceRefresh, let token = cached(wanted, left: Self.leastLeft) { return token }
        guard holdings.refreshToken != nil else {
            if !forceRefresh, let token = cached(wanted, left: 1) { return token }
            throw IdentityError(.interactionRequired(code: "login_required"), correlationID: correlationID)
        }
        let id = RandomText.correlationID(correlationID)
        do throws(IdentityError) {
            return try await refreshing(wanted, forced: forceRefresh, correlationID: id).value()
        } catch {
            if error.isUnreachable, !forceRefresh, !isClosed, let token = cached(wanted, left: 1) { return token }
            throw error.correlated(id)
        }
    }

    /// Refreshes now if the sign-in's token ends soon; the ID token, where there is no other. Does nothing without a
    /// refresh token.
    public func renew() async throws(IdentityError) {
        guard holdings.refreshToken != nil || isClosed else { return }
        if holdings.lacksAccessToken, let idToken = holdings.idToken,
            let end = PlainClaims.value("exp", of: idToken)?.date, end &- party.now >= Self.leastLeft
        {
            return
        }
        do throws(IdentityError) {
            _ = try await accessToken(scopes: [], correlationID: "")
        } catch {
            guard error.cause == Self.noAccessToken else { throw error }
        }
    }

    private static let noAccessToken = IdentityError.Cause.unsupported(
        what: "an access token for these scopes. Ask for an API's scope, or on Azure AD B2C for the client id")

    private struct Wanted: Sendable {
        var scopes: ScopeSet
        var claims: JSONValue?
        /// As the app wrote them.
        var claimsText: String?
    }

    private func cached(_ wanted: Wanted, left: Int64) -> AccessToken? {
        holdings.cache.token(for: wanted.scopes, claims: wanted.claims, now: party.now, left: left)
    }

    private func refreshing(
        _ wanted: Wanted, forced: Bool, correlationID: String
    ) throws(IdentityError) -> SharedAnswer<AccessToken> {
        // Who says that the token is no good cannot be served with one that another refresh finds in the cache.
        let key = RefreshKey(scopes: wanted.scopes.key, claims: wanted.claims, isForced: forced)
        let forcedKey = RefreshKey(scopes: wanted.scopes.key, claims: wanted.claims, isForced: true)
        if let answer = refreshes[key] ?? refreshes[forcedKey] { return answer }
        guard refreshes.count < Self.mostRefreshes else { throw IdentityError(.unavailable(status: 429)) }
        let answer = SharedAnswer<AccessToken>()
        refreshes[key] = answer
        let previous = lastRefresh
        lastRefresh = Task(executorPreference: party.clock.executor) {
            await previous?.value
            let outcome: SharedAnswer<AccessToken>.Outcome
            do throws(IdentityError) {
                outcome = .success(try await self.refresh(wanted, forced: forced, correlationID: correlationID))
            } catch {
                outcome = .failure(error.correlated(correlationID))
            }
            await self.end(key, answer, outcome)
        }
        return answer
    }

    private func end(
        _ key: RefreshKey, _ answer: SharedAnswer<AccessToken>, _ outcome: SharedAnswer<AccessToken>.Outcome
    ) {
        if refreshes[key] === answer { refreshes[key] = nil }
        answer.settle(outcome)
    }

    private func refresh(
        _ wanted: Wanted, forced: Bool, correlationID: String
    ) async throws(IdentityError) -> AccessToken {
        while true {
            guard !isClosed else { throw IdentityError(.canceled) }
            // The refresh before this one may have brought what is wanted.
            if !forced, let token = cached(wanted, left: Self.leastLeft) { return token }
            guard let used = holdings.refreshToken else {
                throw IdentityError(.interactionRequired(code: "login_required"))
            }
            let generation = generation
            let received: Received
            do throws(IdentityError) {
                received = try await send(used, wanted, correlationID)
            } catch {
                // The worker signed in again meanwhile: what became of the older token no longer matters.
                if generation != self.generation, !isClosed { continue }
                log(error, correlationID)
                throw error
            }
            let isCurrent = generation == self.generation && !isClosed
            guard isCurrent else {
                if !isClosed, keepsOlderGeneration, let token = received.answer.refreshToken {
                    // It took the place of one that is kept until the turn ends.
                    retire(token)
                    noteChange()
                } else {
                    // No app is left to use this, and the provider should know.
                    party.forget(received.answer.all)
                }
                continue
            }
            keep(received)
            defer { noteChange() }
            if let fault = received.fault { throw fault }
            let token = AccessToken(
                received.answer, asked: wanted.scopes, received: party.now, correlationID: correlationID)
            if wanted.scopes.key == holdings.scopes.key { holdings.lacksAccessToken = token == nil }
            guard let token else { throw IdentityError(Self.noAccessToken) }
            forget(holdings.cache.store(token, asked: wanted.scopes, claims: wanted.claims, now: party.now))
            party.log.debug("Tokens refreshed", metadata: ["correlation": "\(correlationID)"])
            return token
        }
    }

    /// An answer whose ID token, if it has one, is verified, or could not be for now.
    private struct Received: Sendable {
        var answer: TokenAnswer
        var worker: VerifiedIDToken?
        var fault: IdentityError?
    }

    private func send(
        _ refreshToken: Secret, _ wanted: Wanted, _ correlationID: String
    ) async throws(IdentityError) -> Received {
        // If no answer comes, the provider may still have used it up.
        holdings.isRefreshTokenUnused = false
        let answer = try await party.tokens(
            refresh: refreshToken, scopes: scopesToSend(wanted.scopes), claims: wanted.claimsText,
            correlationID: correlationID)
        guard let idToken = answer.idToken else { return Received(answer: answer) }
        do throws(IdentityError) {
            let worker = try await party.provider.verify(
                idToken,
                expecting: IDTokenExpectation(
                    clientID: party.settings.clientID, accessToken: answer.accessToken, subject: identity.subject))
            guard worker.identity.issuer == identity.issuer, worker.identity.subject == identity.subject else {
                throw IdentityError(.notTrusted(what: "id_token: its subject is another account"))
            }
            return Received(answer: answer, worker: worker)
        } catch {
            // The keys cannot be fetched now. The refresh token in the answer is the only one that works from here on.
            if error.isUnreachable { return Received(answer: answer, fault: error) }
            party.forget(answer.all)
            throw error
        }
    }

    /// Keeps what replaces something older.
    private func keep(_ received: Received) {
        if let token = received.answer.refreshToken { holdings.refreshToken = token }
        holdings.isRefreshTokenUnused = true
        if let worker = received.worker, let idToken = received.answer.idToken {
            holdings.take(idToken: idToken)
            if !worker.identity.sessionID.isEmpty { holdings.sessionID = worker.identity.sessionID }
        }
    }

    /// Nil: the same as at sign-in, which needs no words, except where that could mean several services.
    private func scopesToSend(_ wanted: ScopeSet) -> ScopeSet? {
        if wanted.key == holdings.scopes.key, !holdings.isWidened { return party.isMicrosoft ? wanted : nil }
        // Without these an answer would lack the ID token or the next refresh token. Microsoft never lists them as
        // granted; others refuse what they have not granted.
        let known = party.isMicrosoft ? holdings.scopes : holdings.granted
        var scopes = wanted
        scopes.add(known.list.filter { ScopeSet.reserved.contains($0.lowercased()) })
        return scopes
    }

    private func log(_ error: IdentityError, _ correlationID: String) {
        guard error.cause != .canceled else { return }
        party.log.notice(
            "Tokens could not be refreshed", metadata: ["correlation": "\(correlationID)", "cause": "\(error.cause)"])
    }
}
