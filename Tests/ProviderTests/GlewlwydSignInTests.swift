import Identity
import ProviderTesting
import Secrets
import Testing

/// Sign-in and tokens, with a real provider at the other end.
@Suite(.timeLimit(.minutes(2))) struct GlewlwydSignInTests {
    @Test(arguments: [false, true])
    func `A worker signs in, by a pushed request, code and PKCE, over http and https`(isSecure: Bool) async throws {
        let authority = isSecure ? try await TestCertificateAuthority() : nil
        try await withGlewlwyd(certificateAuthority: authority) { glewlwyd in
            try await withClient(of: glewlwyd) { client in
                let metadata = try await client.openID.metadata()
                #expect(metadata.issuer == glewlwyd.issuer)
                let pending = try await client.openID.begin(AuthorizationRequest(redirectURI: Glewlwyd.redirectURI))
                #expect(Set(queryFields(of: pending.url).keys) == ["client_id", "request_uri"])
                let redirect = try await glewlwyd.browser().signIn(at: pending.url, as: Glewlwyd.ana)
                #expect(await client.openID.deliver(redirect) == .accepted)
                let signedIn = try await client.openID.finish(pending)
                #expect(signedIn.identity.issuer == glewlwyd.issuer && !signedIn.identity.subject.isEmpty)
                #expect(signedIn.identity.username == "ana" && signedIn.identity.name == "Ana Horvat")
                #expect(signedIn.identity.email == "ana@example.org" && !signedIn.identity.sessionID.isEmpty)
                // Each answer works once.
                #expect(await client.openID.deliver(redirect) == .unknown)
            }
        }
    }

    @Test func `Two workers are two subjects`() async throws {
        try await withGlewlwyd { glewlwyd in
            try await withClient(of: glewlwyd) { client in
                let ana = try await client.signIn(Glewlwyd.ana, with: glewlwyd.browser())
                let ben = try await client.signIn(Glewlwyd.ben, with: glewlwyd.browser())
                let again = try await client.signIn(Glewlwyd.ana, with: glewlwyd.browser())
                #expect(ana.identity.subject != ben.identity.subject)
                #expect(ana.identity.subject == again.identity.subject)
            }
        }
    }

    @Test func `A fresh login counts where max_age asked for it, although this provider does not know when it was`()
        async throws
    {
        try await withGlewlwyd { glewlwyd in
            try await withClient(of: glewlwyd) { client in
                let unknown = await #expect(throws: IdentityError.self) {
                    try await client.signIn(with: glewlwyd.browser()) { $0.prompt = .login }
                }
                #expect(unknown?.cause == .noFreshLogin(isKnown: false))
                let signedIn = try await client.signIn(with: glewlwyd.browser()) {
                    $0.prompt = .login
                    $0.asksWithMaxAge = true
                }
                #expect(signedIn.identity.username == "ana" && signedIn.identity.authenticationTime == nil)
                // Whoever wants to know the age of the login must be told it.
                let pending = try await client.openID.begin(
                    AuthorizationRequest.aged(300, redirectURI: Glewlwyd.redirectURI))
                let redirect = try await glewlwyd.browser().signIn(at: pending.url, as: Glewlwyd.ana)
                #expect(await client.openID.deliver(redirect) == .accepted)
                let cause = await cause { () async throws(IdentityError) in try await client.openID.finish(pending) }
                guard case .notTrusted? = cause else {
                    Issue.record("\(String(describing: cause))")
                    return
                }
            }
        }
    }

    @Test func `A worker signs in on another device, and asking meanwhile does no harm`() async throws {
        try await withGlewlwyd { glewlwyd in
            try await withClient(of: glewlwyd) { client in
                let pending = try await client.openID.beginDevice(AuthorizationRequest())
                let address = try #require(pending.verificationURIComplete)
                #expect(address.contains(pending.userCode))
                async let answer = client.openID.finish(pending)
                try await glewlwyd.browser().answerDevice(at: address, as: Glewlwyd.ben, approves: true)
                let signedIn = try await answer
                #expect(signedIn.identity.username == "ben" && signedIn.identity.issuer == glewlwyd.issuer)
            }
        }
    }

    @Test func `Each refresh brings another token, and a refresh token that was used is refused`() async throws {
        try await withGlewlwyd { glewlwyd in
            try await withClient(of: glewlwyd) { client in
                let session = try await client.signIn(with: glewlwyd.browser()).session
                let sealed = await session.sealed()
                let first = try await session.accessToken(scopes: [], correlationID: "")
                let second = try await session.accessToken(scopes: [], forceRefresh: true, correlationID: "")
                let third = try await session.accessToken(scopes: [], forceRefresh: true, correlationID: "")
                #expect(first.token != second.token && second.token != third.token)
                #expect(third.grantedScopes.contains("openid"))

                let older = try #require(WorkerSession(sealed: sealed, client: client.openID))
                let cause = await cause { () async throws(IdentityError) in
                    try await older.accessToken(scopes: [], forceRefresh: true, correlationID: "")
                }
                #expect(cause == .interactionRequired(code: "invalid_grant"))
            }
        }
    }

    @Test func `Userinfo says the same as the ID token`() async throws {
        try await withGlewlwyd { glewlwyd in
            try await withClient(of: glewlwyd) { client in
                let signedIn = try await client.signIn(with: glewlwyd.browser())
                let token = try await signedIn.session.accessToken(scopes: [], correlationID: "")
                let verifier = ProviderVerifier(settings: client.settings, http: client.http, clock: .real)
                let worker = try await verifier.userinfo(token.token, correlationID: "")
                #expect(worker.identity.subject == signedIn.identity.subject)
                #expect(worker.identity.username == "ana")
                let cause = await cause { () async throws(IdentityError) in
                    try await verifier.userinfo(Secret(text: "not a token"), correlationID: "")
                }
                #expect(cause != nil)
            }
        }
    }

    @Test func `A key that the provider has changed meanwhile is fetched`() async throws {
        try await withGlewlwyd { glewlwyd in
            try await withClient(of: glewlwyd) { client in
                let before = try await client.signIn(with: glewlwyd.browser())
                try await glewlwyd.replaceKey()
                let after = try await client.signIn(with: glewlwyd.browser())
                #expect(after.identity.subject == before.identity.subject)
            }
        }
    }

    @Test func `A provider whose CA nobody has named is not talked to`() async throws {
        try await withGlewlwyd(certificateAuthority: try await TestCertificateAuthority()) { glewlwyd in
            let http = try HTTPSExchange(requestTimeout: .seconds(10), caFile: nil, proxy: nil)
            let cause = await cause { () async throws(IdentityError) in
                try await http.send(HTTPRequest(.get, "\(glewlwyd.issuer)/jwks", correlationID: "test"))
            }
            #expect(cause == .tls)
            await http.shutdown()
        }
    }
}

extension AuthorizationRequest {
    fileprivate static func aged(_ maxAge: Int64, redirectURI: String) -> AuthorizationRequest {
        var request = AuthorizationRequest(redirectURI: redirectURI)
        request.maxAge = maxAge
        return request
    }
}
