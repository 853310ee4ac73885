import Logging
import Secrets
import WebText

extension OpenIDClient {
    /// Starts a sign-in in a browser: authorization code with PKCE, state and nonce, pushed where that is offered.
    ///
    /// - Throws: `misconfigured` when the request cannot be sent; what discovery or a pushed request came to.
    public func begin(_ request: AuthorizationRequest) async throws(IdentityError) -> PendingAuthorization {
        var request = request
        request.correlationID = RandomText.correlationID(request.correlationID)
        do throws(IdentityError) {
            try request.check(needsRedirect: true)
            var metadata = try await party.metadata()
            // Nothing else asks the provider before the worker's browser does, and its description may be from memory.
            if metadata.pushedAuthorizationRequestEndpoint == nil {
                metadata = try await party.metadata(forceRefresh: true)
            }
            let scopes = try request.wantedScopes(settings, metadata)
            let state = RandomText.make()
            let started = party.now
            let flight = AuthorizationFlight(
                proofKey: ProofKey(), redirectURI: request.redirectURI, issuer: metadata.issuer,
                requiresIssuer: metadata.sendsIssuerInAnswer, expires: started &+ request.lifetime,
                expectation: RelyingParty.Expectation(
                    nonce: RandomText.make(), started: started, maxAge: request.maxAge,
                    needsFreshLogin: request.wantsFreshLogin, mayHideLogin: request.asksWithMaxAge, scopes: scopes,
                    claims: request.claims.flatMap { JSONValue($0.utf8) }, correlationID: request.correlationID))
            let url = try await party.authorizationURL(request, flight, state: state, metadata: metadata)
            remember(flight, state)
            return PendingAuthorization(
                url: url, state: state, expires: flight.expires, correlationID: request.correlationID)
        } catch {
            throw error.correlated(request.correlationID)
        }
    }

    /// Waits for the redirect and completes the sign-in. Cancelling the task forgets it, unless the code is being
    /// exchanged already: then tokens may exist, and the caller has to do something about them.
    ///
    /// - Throws: `denied`, `unfinished`, `canceled`, `accountNotAllowed`, `notTrusted`, or what the provider or the network
    ///   said.
    public func finish(_ pending: PendingAuthorization) async throws(IdentityError) -> SignedIn {
        let id = pending.correlationID
        guard var flight = flights[pending.state], !flight.isAwaited else {
            throw IdentityError(party.now >= pending.expires ? .unfinished : .canceled, correlationID: id)
        }
        flight.isAwaited = true
        flights[pending.state] = flight
        let left = Duration.seconds(max(0, flight.expires &- party.now))
        let code = flight.code
        let clock = party.clock
        let timer = Task(executorPreference: clock.executor) {
            try await clock.sleep(left)
            code.settle(.failure(IdentityError(.unfinished)))
        }
        defer {
            timer.cancel()
            flights[pending.state] = nil
        }
        do throws(IdentityError) {
            let code = try await code.value()
            timer.cancel()
            flight.expectation.code = code
            let (party, arrived) = (party, flight)
            return try await Shielded.run(on: clock.executor) { () async throws(IdentityError) in
                let tokens = try await party.tokens(
                    code: code, redirectURI: arrived.redirectURI, proofKey: arrived.proofKey,
                    scopes: arrived.expectation.scopes, correlationID: id)
                return try await party.signIn(tokens, arrived.expectation)
            }
        } catch {
            throw error.correlated(id)
        }
    }

    /// Takes a redirect from any caller, unread. Each state works once.
    public func deliver(_ redirect: String) -> Delivery {
        guard let answer = RedirectAnswer(redirect), let flight = flights[answer.state],
            party.now < flight.expires, answer.came(to: flight.redirectURI)
        else { return .unknown }
        return flight.code.settle(flight.outcome(of: answer)) ? .accepted : .unknown
    }

    /// Forgets a sign-in; the caller that waits in `finish` gets `canceled`.
    public func abandon(_ pending: PendingAuthorization) {
        flights.removeValue(forKey: pending.state)?.code.settle(.failure(IdentityError(.canceled)))
    }

    private func remember(_ flight: AuthorizationFlight, _ state: String) {
        let now = party.now
        for (state, flight) in flights where flight.expires <= now && !flight.isAwaited { flights[state] = nil }
        if flights.count >= Self.mostPending, let oldest = flights.min(by: { $0.value.expires < $1.value.expires }) {
            flights[oldest.key] = nil
            oldest.value.code.settle(.failure(IdentityError(.canceled)))
        }
        flights[state] = flight
    }
}
