import Secrets
import Testing

@testable import Identity

@Suite(.timeLimit(.minutes(1))) struct AuthorizationOutcomeTests {
    @Test func `A login that is older than the request is no fresh login`() async throws {
        for (age, isGood) in [(Int64(0), true), (119, true), (121, false), (86_400, false)] {
            let bench = FlowsBench()
            let login = bench.clock.now - age
            let nonces = bench.nonces
            bench.provider.answer("/token") { _ in .tokens(access: "a", id: "ana/\(nonces.text)/\(login)/x") }
            let found = await cause { _ = try await bench.signIn(FlowsBench.request { $0.prompt = .login }) }
            #expect((found == nil) == isGood, "\(age)")
        }
    }

    /// The login's age in seconds when the token was made, by the provider's clock, 3 s after the request.
    @Test(arguments: [(Int64(3), true), (4, true), (5, false), (60, false)], [Int64(-90), 0, 90])
    func `One clock tells that a login is older than the request`(age: (Int64, Bool), off: Int64) async throws {
        for needs in ["prompt", "max_age", "setting"] {
            let bench = FlowsBench()
            let nonces = bench.nonces
            let pending = try await bench.begin(
                FlowsBench.request {
                    if needs == "prompt" { $0.prompt = .login }
                    if needs == "max_age" { $0.maxAge = 0 }
                    if needs == "setting" { $0.needsFreshLogin = true }
                })
            bench.clock.advance(3)
            let issued = bench.clock.now + off
            bench.verification.set { $0.issued = issued }
            bench.provider.answer("/token") { _ in .tokens(access: "a", id: "ana/\(nonces.text)/\(issued - age.0)/x") }
            _ = await bench.client.deliver("\(FlowsBench.redirectURI)?code=x&state=\(pending.state)")
            let found = await cause { _ = try await bench.client.finish(pending) }
            #expect(found == (age.1 ? nil : .noFreshLogin(isKnown: true)), "\(needs)")
        }
    }

    @Test(arguments: [false, true])
    func `A login of which nobody says when it was counts only where max_age asked for it`(isAsked: Bool) async throws {
        let bench = FlowsBench()
        let nonces = bench.nonces
        bench.provider.answer("/token") { _ in .tokens(access: "a", id: "ana/\(nonces.text)//x") }
        let request = FlowsBench.request {
            $0.needsFreshLogin = true
            $0.asksWithMaxAge = isAsked
        }
        let pending = try await bench.begin(request)
        #expect(FlowsBench.query(pending.url)["max_age"] == (isAsked ? "1" : nil))
        _ = await bench.client.deliver("\(request.redirectURI)?code=x&state=\(pending.state)")
        let found = await cause { _ = try await bench.client.finish(pending) }
        #expect(found == (isAsked ? nil : .noFreshLogin(isKnown: false)))
    }

    @Test func `The age of a login counts from the request`() async throws {
        let bench = FlowsBench()
        bench.answerCodes()
        let pending = try await bench.begin(
            FlowsBench.request {
                $0.maxAge = 0
                $0.lifetime = 3600
            })
        bench.clock.advance(500)
        _ = await bench.client.deliver("\(FlowsBench.redirectURI)?code=x&state=\(pending.state)")
        _ = try await bench.client.finish(pending)
        #expect(bench.verification.expectations.first?.maxAge == 500)
    }

    @Test func `Tokens of an account that may not hold the device are revoked`() async throws {
        let bench = FlowsBench(metadata: { $0.revocationEndpoint = "\(FlowsProvider.origin)/revoke" })
        bench.answerCodes()
        bench.provider.answer("/revoke") { _ in HTTPResponse(status: 200) }
        bench.verification.set { $0.accountFault = IdentityError(.accountNotAllowed(what: "tenant")) }
        let error = await #expect(throws: IdentityError.self) { _ = try await bench.signIn() }
        #expect(error?.cause == .accountNotAllowed(what: "tenant"))
        #expect(error?.correlationID == "c0ffee")
        try await bench.provider.until(2, at: "/revoke")
        #expect(bench.provider.requests("/revoke").map { $0["token"] } == ["refresh-1", "access-1"])
    }

    @Test func `An answer for another nonce, or without an ID token, is no sign-in`() async throws {
        let bench = FlowsBench()
        bench.provider.answer("/token") { _ in .tokens(access: "a", id: "ana/other/0/x") }
        #expect(await cause { _ = try await bench.signIn() } == .notTrusted(what: "nonce"))
        bench.provider.answer("/token") { _ in .tokens(access: "a") }
        #expect(await cause { _ = try await bench.signIn() } == .invalidAnswer(what: "id_token"))
    }

    @Test func `A pushed request leaves nothing in the browser's address but its name`() async throws {
        let bench = FlowsBench(metadata: { $0.pushedAuthorizationRequestEndpoint = "\(FlowsProvider.origin)/par" })
        bench.provider.answer("/par") { _ in .json(#"{"request_uri": "urn:x:1", "expires_in": 90}"#, status: 201) }
        let pending = try await bench.begin(FlowsBench.request { $0.loginHint = "ana" })
        #expect(FlowsBench.query(pending.url) == ["client_id": "baton device", "request_uri": "urn:x:1"])
        let push = try #require(bench.provider.requests("/par").first)
        #expect(push["state"] == pending.state)
        #expect(push["login_hint"] == "ana")
        #expect(push["client_id"] == "baton device")
        #expect(push.form?.count { $0.name == "client_id" } == 1)
    }

    @Test func `Where pushing is not for this client the browser carries the request, unless it is demanded`()
        async throws
    {
        for isRequired in [false, true] {
            let bench = FlowsBench(metadata: {
                $0.pushedAuthorizationRequestEndpoint = "\(FlowsProvider.origin)/par"
                $0.requiresPushedAuthorizationRequests = isRequired
            })
            bench.provider.answer("/par") { _ in .error("invalid_client", status: 401) }
            let found = await cause {
                let pending = try await bench.begin()
                #expect(FlowsBench.query(pending.url)["state"] == pending.state)
            }
            #expect(found == (isRequired ? .rejected(code: "invalid_client", status: 401) : nil))
        }
    }

    @Test(arguments: [
        HTTPResponse(status: 500), HTTPResponse(status: 200), .json("[]"), .json(#"{"request_uri": 7}"#),
        .json(#"{"request_uri": ""}"#), .json(#"{"request_uri": "a b"}"#), HTTPResponse(status: 302),
        .error("invalid_request"),
    ])
    func `A pushed request that goes wrong is an error`(answer: HTTPResponse) async throws {
        let bench = FlowsBench(metadata: { $0.pushedAuthorizationRequestEndpoint = "\(FlowsProvider.origin)/par" })
        bench.provider.answer("/par") { _ in answer }
        #expect(await cause { _ = try await bench.begin() } != nil)
        #expect(await bench.client.flights.isEmpty)
    }

    @Test func `A provider that answers wrongly can still be reached`() async throws {
        let bench = FlowsBench()
        #expect(await bench.client.isReachable())
        bench.verification.set { $0.metadataFault = IdentityError(.network) }
        #expect(await bench.client.isReachable() == false)
        bench.verification.set { $0.metadataFault = IdentityError(.invalidAnswer(what: "x")) }
        #expect(await bench.client.isReachable())
    }
}
