extension OpenIDClient {
    /// The longest pause between two questions, in seconds.
    private static let longestInterval: Int64 = 120

    /// Starts a sign-in with another device: RFC 8628, section 3.1.
    ///
    /// - Throws: `unsupported` when the provider has no device grant; what the provider or the network said.
    public func beginDevice(_ request: AuthorizationRequest) async throws(IdentityError) -> PendingDevice {
        let id = RandomText.correlationID(request.correlationID)
        do throws(IdentityError) {
            try request.check(needsRedirect: false)
            let metadata = try await party.metadata()
            guard let endpoint = metadata.deviceAuthorizationEndpoint else {
                throw IdentityError(.unsupported(what: "device grant"))
            }
            let expectation = RelyingParty.Expectation(
                started: party.now, maxAge: request.maxAge, needsFreshLogin: request.wantsFreshLogin,
                scopes: try request.wantedScopes(settings, metadata), correlationID: id)
            var asked = expectation.scopes
            asked.add(try ScopeSet(request.extraScopesToConsent).list)
            let extra = request.extraQueryParameters.sorted { $0.key < $1.key }
            let form = [(name: "scope", value: asked.text)] + extra.map { (name: $0.key, value: $0.value) }
            let body = try await party.post(endpoint, form, metadata: metadata, correlationID: id)
            return try PendingDevice(body: body, expectation: expectation, received: party.now)
        } catch {
            throw error.correlated(id)
        }
    }

    /// Asks until the worker has finished on the other device, said no, or the code ran out: RFC 8628, section 3.5.
    ///
    /// A provider that cannot be reached meanwhile is asked again, less and less often.
    public func finish(_ pending: PendingDevice) async throws(IdentityError) -> SignedIn {
        do throws(IdentityError) {
            let tokens = try await poll(pending)
            let party = party
            return try await Shielded.run(on: party.clock.executor) { () async throws(IdentityError) in
                try await party.signIn(tokens, pending.expectation)
            }
        } catch {
            throw error.correlated(pending.correlationID)
        }
    }

    private func poll(_ pending: PendingDevice) async throws(IdentityError) -> TokenAnswer {
        var interval = pending.interval
        var pause = interval
        while true {
            let left = pending.expires &- party.now
            guard left > 0 else { throw IdentityError(.expired) }
            do {
                try await party.clock.sleep(.seconds(min(pause, left)))
            } catch {
                throw IdentityError(.canceled)
            }
            guard !Task.isCancelled else { throw IdentityError(.canceled) }
            guard party.now < pending.expires else { throw IdentityError(.expired) }
            do throws(IdentityError) {
                let party = party
                return try await Shielded.run(on: party.clock.executor) { () async throws(IdentityError) in
                    try await party.tokens(device: pending)
                }
            } catch {
                switch error.cause {
                case .rejected(code: "authorization_pending", _): pause = interval
                case .rejected(code: "slow_down", _):
                    interval = min(interval &+ 5, Self.longestInterval)
                    pause = interval
                case .network, .timeout, .unavailable: pause = min(max(pause, 1) &* 2, Self.longestInterval)
                default: throw error
                }
            }
        }
    }
}
