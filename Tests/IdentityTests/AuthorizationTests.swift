import Crypto
import Secrets
import Testing
import WebText

@testable import Identity

@Suite(.timeLimit(.minutes(1))) struct AuthorizationTests {
    private func deliver(
        _ bench: FlowsBench, _ pending: PendingAuthorization, _ query: String
    ) async -> Delivery {
        await bench.client.deliver("\(FlowsBench.redirectURI)?\(query)&state=\(pending.state)")
    }

    @Test func `The challenge is that of RFC 7636, appendix B`() {
        let key = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(ProofKey().verifier != ProofKey().verifier)
        #expect(ProofKey().verifier.count == 43)
    }

    @Test func `A browser sign-in proves with its verifier that it began it`() async throws {
        let bench = FlowsBench()
        bench.answerCodes()
        let pending = try await bench.begin(
            FlowsBench.request {
                $0.prompt = .selectAccount
                $0.loginHint = "ana@example.com"
                $0.maxAge = 60
                $0.claims = #"{"id_token": {"acr": null}}"#
                $0.extraScopesToConsent = ["Mail.Read"]
                $0.extraQueryParameters = ["ui_locales": "hr en"]
            })
        let query = FlowsBench.query(pending.url)
        #expect(pending.url.hasPrefix("\(FlowsProvider.origin)/authorize?"))
        #expect(query["response_type"] == "code")
        #expect(query["client_id"] == "baton device")
        #expect(query["redirect_uri"] == FlowsBench.redirectURI)
        #expect(query["scope"] == "openid profile offline_access Mail.Read")
        #expect(query["state"] == pending.state)
        #expect(query["prompt"] == "select_account")
        #expect(query["login_hint"] == "ana@example.com")
        #expect(query["max_age"] == "60")
        #expect(query["claims"] == #"{"id_token": {"acr": null}}"#)
        #expect(query["ui_locales"] == "hr en")
        #expect(query["code_challenge_method"] == "S256")

        async let finished = bench.client.finish(pending)
        #expect(await deliver(bench, pending, "code=a%2Bb+c") == .accepted)
        let signedIn = try await finished
        #expect(signedIn.identity.subject == "ana")
        let exchange = try #require(bench.provider.requests("/token").first)
        #expect(exchange["grant_type"] == "authorization_code")
        #expect(exchange["code"] == "a+b c")
        #expect(exchange["redirect_uri"] == FlowsBench.redirectURI)
        #expect(exchange["client_id"] == "baton device")
        #expect(exchange.correlationID == "c0ffee")
        let verifier = try #require(exchange["code_verifier"])
        #expect(Base64URL.encode(SHA256.hash(data: Array(verifier.utf8))) == query["code_challenge"])
        let expectation = try #require(bench.verification.expectations.first)
        #expect(expectation.nonce == query["nonce"])
        #expect(expectation.code == "a+b c")
        #expect(expectation.maxAge == 60)
        #expect(expectation.accessToken?.text == "access-1")
    }

    @Test func `Microsoft is asked whose account it is at home, and nobody else`() async throws {
        for (kind, wanted) in [(Authority.Kind.entra(.common), "1"), (.b2c, "1"), (.openID, nil)] {
            let bench = FlowsBench(settings: { $0.authority = Authority(kind: kind, url: FlowsProvider.origin) })
            bench.answerCodes()
            let pending = try await bench.begin()
            #expect(FlowsBench.query(pending.url)["client_info"] == wanted)
            #expect(await deliver(bench, pending, "code=x") == .accepted)
            _ = try await bench.client.finish(pending)
            #expect(bench.provider.requests("/token").first?["client_info"] == wanted)
        }
    }

    @Test func `Two sign-ins share nothing that is random`() async throws {
        let bench = FlowsBench()
        let one = FlowsBench.query(try await bench.begin().url)
        let other = FlowsBench.query(try await bench.begin().url)
        for name in ["state", "nonce", "code_challenge"] {
            #expect(one[name]?.count == 43)
            #expect(one[name] != other[name])
        }
    }

    @Test func `Only a redirect that a sign-in waits for is accepted, and only once`() async throws {
        let bench = FlowsBench()
        bench.answerCodes()
        let pending = try await bench.begin()
        let state = pending.state
        let right = FlowsBench.redirectURI
        for wrong in [
            "", "?", "::::", "\(right)", "\(right)?", "\(right)?code=x", "\(right)?code=x&state=",
            "\(right)?state=\(state)",
            "\(right)?code=x&state=unknown", "\(right)?code=&state=\(state)", "\(right)?code=x&code=y&state=\(state)",
            "\(right)?code=x&state=\(state)&state=\(state)", "\(right)?code=x&error=access_denied&state=\(state)",
            "\(right)#code=x&state=\(state)", "\(right)?code=%ZZ&state=\(state)", "\(right)?code=%FF&state=\(state)",
            "\(right)?code=x%00&state=\(state)", "\(right)?code=x&state=\(state)%0d%0a",
            "\(right)?error=access_denied%0a&state=\(state)", "\(right)?code=x&state=\(state)&iss=https://a%0d%0a",
            "http://127.0.0.1:8766/auth?code=x&state=\(state)",
            "http://127.0.0.1:8765/auth/?code=x&state=\(state)",
            "http://evil@127.0.0.1:8765/auth?code=x&state=\(state)",
            "https://127.0.0.1:8765/auth?code=x&state=\(state)",
            "\(right)?code=\(String(repeating: "x", count: RedirectAnswer.longest))&state=\(state)",
        ] {
            #expect(await bench.client.deliver(wrong) == .unknown, "\(wrong.prefix(200))")
        }
        #expect(await bench.client.deliver("HTTP://127.0.0.1:8765/auth?code=x&state=\(state)#_=_") == .accepted)
        #expect(await bench.client.deliver("\(right)?code=x&state=\(state)") == .unknown)
        _ = try await bench.client.finish(pending)
        #expect(await bench.client.deliver("\(right)?code=x&state=\(state)") == .unknown)
        #expect(bench.provider.requests("/token").count == 1)
    }

    @Test(arguments: ["msauth.com.example.app://auth", "com.example.app:/auth", "msauth.com.example.app://auth/"])
    func `A private scheme works as a redirect`(uri: String) async throws {
        let bench = FlowsBench()
        bench.answerCodes()
        let signedIn = try await bench.signIn(FlowsBench.request { $0.redirectURI = uri })
        #expect(signedIn.identity.subject == "ana")
    }

    @Test(arguments: [
        ("error=access_denied", IdentityError.Cause.denied),
        ("error=login_required", .interactionRequired(code: "login_required")),
        ("error=temporarily_unavailable", .unavailable(status: 503)),
        ("error=server_error", .unavailable(status: 500)),
        ("error=invalid_scope", .rejected(code: "invalid_scope", status: 302)),
        ("error=%3Cscript%3E", .rejected(code: "", status: 302)),
        (
            "error=access_denied&error_description=AADSTS90094%3A+admin",
            .rejected(code: "admin_consent_required", status: 302)
        ),
        ("error=access_denied&error_description=AADSTS65004%3A+no", .denied),
        ("error=invalid_request&error_description=AADSTS65001%3A", .interactionRequired(code: "consent_required")),
        // As Entra ID and B2C write them, and texts that are no UTF-8 or have broken escapes.
        (
            "error=access_denied&error_description=AADSTS90094%3a+admin%0d%0aTrace+ID%3a+1%0d%0aTimestamp%3a+2",
            .rejected(code: "admin_consent_required", status: 302)
        ),
        ("error=access_denied&error_description=AADB2C90091%3A+no%0D%0ACorrelation+ID%3A+1%0D%0A", .denied),
        ("error=login_required&error_description=%E9%zz%00%", .interactionRequired(code: "login_required")),
        ("error=login_required&error_uri=%0a&session_state=%07", .interactionRequired(code: "login_required")),
    ])
    func `An error in the redirect ends the sign-in with its meaning`(query: String, expected: IdentityError.Cause)
        async throws
    {
        let bench = FlowsBench()
        let pending = try await bench.begin()
        #expect(await deliver(bench, pending, query) == .accepted)
        #expect(await cause { _ = try await bench.client.finish(pending) } == expected)
        #expect(bench.provider.requests("/token").isEmpty)
    }

    @Test(arguments: [
        (false, "", true), (false, "&iss=https%3A%2F%2Flogin.example", true),
        (false, "&iss=https%3A%2F%2Fevil.example", false),
        (true, "", false), (true, "&iss=https%3A%2F%2Flogin.example", true),
        (true, "&iss=https%3A%2F%2Flogin.example%2F", false),
    ])
    func `The issuer in the answer is checked when there is one, and demanded when it was promised`(
        promised: Bool, parameter: String, isGood: Bool
    ) async throws {
        let bench = FlowsBench(metadata: { $0.sendsIssuerInAnswer = promised })
        bench.answerCodes()
        let pending = try await bench.begin()
        #expect(await deliver(bench, pending, "code=x\(parameter)") == .accepted)
        let cause = await cause { _ = try await bench.client.finish(pending) }
        if isGood {
            #expect(cause == nil)
        } else {
            guard case .notTrusted = cause else { return #expect(Bool(false), "\(String(describing: cause))") }
            #expect(bench.provider.requests("/token").isEmpty)
        }
    }

    @Test func `An issuer with a place for the tenant takes a tenant only`() async throws {
        for (issuer, isGood) in [
            ("https://login.example/1c4a/v2.0", true), ("https://login.example//v2.0", false),
            ("https://login.example/a/b/v2.0", false), ("https://login.example/v2.0", false),
        ] {
            let bench = FlowsBench(metadata: { $0.issuer = "https://login.example/{tenantid}/v2.0" })
            bench.answerCodes()
            let pending = try await bench.begin()
            _ = await deliver(bench, pending, "code=x&iss=\(issuer)")
            #expect((await cause { _ = try await bench.client.finish(pending) } == nil) == isGood, "\(issuer)")
        }
    }

    @Test func `No extra parameter can be one of the protocol's`() async throws {
        let bench = FlowsBench()
        for name in AuthorizationRequest.protocolParameters.union(["State", "REDIRECT_URI"]) {
            let request = FlowsBench.request { $0.extraQueryParameters = [name: "x"] }
            #expect(
                await cause { _ = try await bench.client.begin(request) }
                    == .misconfigured(what: "extra query parameter \(name.lowercased())"))
        }
    }

    @Test func `What cannot be sent is refused before a browser opens`() async throws {
        let bench = FlowsBench()
        let changes: [@Sendable (inout AuthorizationRequest) -> Void] = [
            { $0.redirectURI = "" }, { $0.redirectURI = "nothing" }, { $0.redirectURI = "http://a/b#c" },
            { $0.redirectURI = "http://a/\r\nb" }, { $0.claims = "[]" }, { $0.claims = "{" }, { $0.maxAge = -1 },
            { $0.lifetime = 0 }, { $0.scopes = ["a b"] }, { $0.scopes = [""] }, { $0.extraScopesToConsent = ["\"x\""] },
            { $0.loginHint = "a\nb" }, { $0.extraQueryParameters = ["": "x"] },
            { $0.extraQueryParameters = ["x": String(repeating: "y", count: 5000)] },
            { $0.scopes = (0..<200).map { "scope-\($0)" } },
        ]
        for (number, change) in changes.enumerated() {
            let found = await cause { _ = try await bench.client.begin(FlowsBench.request(change)) }
            guard case .misconfigured = found else {
                Issue.record("change \(number): \(String(describing: found))")
                continue
            }
        }
    }

    @Test func `A sign-in whose task is cancelled is forgotten`() async throws {
        let bench = FlowsBench()
        let pending = try await bench.begin()
        let waiting = Task { await cause { _ = try await bench.client.finish(pending) } }
        waiting.cancel()
        #expect(await waiting.value == .canceled)
        #expect(await deliver(bench, pending, "code=x") == .unknown)
        #expect(await cause { _ = try await bench.client.finish(pending) } == .canceled)
    }

    @Test func `An abandoned sign-in ends for whoever waits for it`() async throws {
        let bench = FlowsBench()
        let pending = try await bench.begin()
        async let waiting = cause { _ = try await bench.client.finish(pending) }
        await bench.client.abandon(pending)
        #expect(await waiting == .canceled)
        #expect(await deliver(bench, pending, "code=x") == .unknown)
    }

    @Test func `A sign-in that nobody answers runs out`() async throws {
        let bench = FlowsBench()
        let pending = try await bench.begin(FlowsBench.request { $0.lifetime = 300 })
        #expect(pending.expires == bench.clock.now + 300)
        async let waiting = cause { _ = try await bench.client.finish(pending) }
        await bench.clock.until(.seconds(300))
        bench.clock.advance(300)
        #expect(await waiting == .unfinished)
        #expect(await deliver(bench, pending, "code=x") == .unknown)
    }

    @Test func `More sign-ins than there may be end the oldest`() async throws {
        let bench = FlowsBench()
        bench.answerCodes()
        let first = try await bench.begin()
        bench.clock.advance(1)
        for _ in 1..<OpenIDClient.mostPending { _ = try await bench.begin() }
        let last = try await bench.begin()
        #expect(await bench.client.flights.count == OpenIDClient.mostPending)
        #expect(await deliver(bench, first, "code=x") == .unknown)
        #expect(await deliver(bench, last, "code=x") == .accepted)
        bench.clock.advance(10_000)
        _ = try await bench.begin()
        #expect(await bench.client.flights.count == 1)
    }

    @Test func `A sign-in is completed by one only`() async throws {
        let bench = FlowsBench()
        bench.answerCodes()
        let pending = try await bench.begin()
        #expect(await deliver(bench, pending, "code=x") == .accepted)
        async let one = cause { _ = try await bench.client.finish(pending) }
        async let other = cause { _ = try await bench.client.finish(pending) }
        let causes = await [one, other]
        #expect(causes.contains(nil))
        #expect(causes.contains(.canceled))
        #expect(bench.provider.requests("/token").count == 1)
    }
}
