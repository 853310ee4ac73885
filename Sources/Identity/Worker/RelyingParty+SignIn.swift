import Logging
import Secrets
import WebText

extension RelyingParty {
    /// How far the provider's clock may be off, in seconds.
    static let clockSkew: Int64 = 120

    /// What the tokens of a sign-in must fit to.
    struct Expectation: Sendable {
        var nonce: String?
        var code: Secret?
        /// When the request was made.
        var started: Int64
        var maxAge: Int64?
        /// The login must be younger than the request.
        var needsFreshLogin = false
        /// The provider need not say when the login was.
        var mayHideLogin = false
        var scopes: ScopeSet
        /// What was asked for with `claims`.
        var claims: JSONValue?
        var correlationID: String
    }

    /// Verifies what the token endpoint gave and makes a session of it, if the settings allow the account.
    func signIn(_ tokens: TokenAnswer, _ expected: Expectation) async throws(IdentityError) -> SignedIn {
        do throws(IdentityError) {
            var worker = try await worker(of: tokens, expected)
            if settings.authority.hasTenants { worker.identity.take(tokens.clientInfo) }
            try await provider.check(worker)
            let session = WorkerSession(
                party: self, identity: worker.identity, tokens: tokens, asked: expected.scopes, claims: expected.claims,
                received: now, correlationID: expected.correlationID)
            log.info("Signed in at the provider", metadata: ["correlation": "\(expected.correlationID)"])
            return SignedIn(identity: worker.identity, claims: worker.claims, session: session)
        } catch {
            // These tokens will not be used. A person who may not hold the device does not leave a session for the next one.
            if case .accountNotAllowed = error.cause, let idToken = tokens.idToken { leave(idToken) }
            forget(tokens.all)
            throw error.correlated(expected.correlationID)
        }
    }

    private func worker(of tokens: TokenAnswer, _ expected: Expectation) async throws(IdentityError) -> VerifiedIDToken
    {
        guard let idToken = tokens.idToken else {
            // A code was asked for with `openid`, and then an ID token must come; only the device grant may lack it.
            guard expected.code == nil else { throw IdentityError(.invalidAnswer(what: "id_token")) }
            guard expected.maxAge == nil else {
                throw IdentityError(.notTrusted(what: "max_age: without an ID token the time of the login is unknown"))
            }
            guard !expected.needsFreshLogin else { throw IdentityError(.noFreshLogin(isKnown: false)) }
            guard let accessToken = tokens.accessToken else {
                throw IdentityError(.invalidAnswer(what: "access_token"))
            }
            return try await provider.userinfo(accessToken, correlationID: expected.correlationID)
        }
        // The age counts from the request: reading a page of terms must not make a login too old.
        let elapsed = max(0, now &- expected.started)
        let maxAge = expected.maxAge.map { age in
            let (sum, overflow) = age.addingReportingOverflow(elapsed)
            return overflow ? Int64.max : sum
        }
        let worker = try await provider.verify(
            idToken,
            expecting: IDTokenExpectation(
                clientID: settings.clientID, nonce: expected.nonce, accessToken: tokens.accessToken,
                code: expected.code?.text, maxAge: maxAge))
        if expected.needsFreshLogin { try checkLogin(of: worker, expected, elapsed) }
        return worker
    }

    /// - Parameter elapsed: Seconds since the request.
    private func checkLogin(
        of worker: VerifiedIDToken, _ expected: Expectation, _ elapsed: Int64
    ) throws(IdentityError) {
        guard let login = worker.identity.authenticationTime else {
            guard expected.mayHideLogin else { throw IdentityError(.noFreshLogin(isKnown: false)) }
            return
        }
        // How old the login was when the token was made is told by one clock, the provider's. Whole seconds, so that one
        // more may be between. Ours is asked too: Microsoft dates tokens back by five minutes.
        let issued = worker.claims["iat"]?.date ?? login
        guard issued &- login <= elapsed &+ 1, login >= expected.started &- Self.clockSkew else {
            throw IdentityError(.noFreshLogin(isKnown: true))
        }
    }
}

extension TokenAnswer {
    /// What a provider can revoke, the longest-lived first.
    var all: [(token: Secret, hint: TokenHint)] {
        (refreshToken.map { [($0, .refreshToken)] } ?? []) + (accessToken.map { [($0, .accessToken)] } ?? [])
    }
}
