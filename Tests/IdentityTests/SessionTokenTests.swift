import Secrets
import Synchronization
import Testing

@testable import Identity

@Suite(.timeLimit(.minutes(1))) struct SessionTokenTests {
    /// Answers each refresh with the next number and notes a refresh token that was used twice or out of turn.
    final class Rotation: Sendable {
        struct State {
            var current = 1
            var faults: [String] = []
        }
        let state = Mutex(State())

        func install(_ bench: FlowsBench, scope: String? = nil, before: @escaping @Sendable () async -> Void = {}) {
            bench.provider.answer("/token") { request in
                await before()
                return self.state.withLock { state in
                    guard request["refresh_token"] == "refresh-\(state.current)" else {
                        state.faults.append(request["refresh_token"] ?? "none")
                        return .error("invalid_grant")
                    }
                    state.current += 1
                    return .tokens(
                        access: "access-\(state.current)", refresh: "refresh-\(state.current)",
                        id: "ana//0/id-\(state.current)", scope: scope ?? request["scope"])
                }
            }
        }
    }

    private func session(
        _ bench: FlowsBench, expires: Int64? = 3600, refresh: String? = "refresh-1"
    ) async throws -> WorkerSession {
        bench.answerCodes(refresh: refresh, expires: expires)
        return try await bench.signIn().session
    }

    private func token(_ session: WorkerSession, _ scopes: [String] = [], force: Bool = false) async throws -> String {
        try await session.accessToken(scopes: scopes, forceRefresh: force, correlationID: "app-1").token.text
    }

    @Test func `A token is handed out again while at least 300 s are left`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        let rotation = Rotation()
        rotation.install(bench)
        #expect(try await token(session) == "access-1")
        #expect(try await token(session, ["openid"]) == "access-1")
        bench.clock.advance(3300)
        #expect(try await token(session) == "access-1")
        bench.clock.advance(1)
        #expect(try await token(session) == "access-2")
        #expect(try await token(session) == "access-2")
        #expect(try await token(session, force: true) == "access-3")
        #expect(bench.provider.requests("/token").count == 3)
        let request = try #require(bench.provider.requests("/token").last)
        #expect(request["grant_type"] == "refresh_token")
        #expect(request["scope"] == nil)
        #expect(request.correlationID == "app-1")
    }

    @Test func `A claims request is answered by a token that came with it, and by no other`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        Rotation().install(bench)
        func token(_ claims: String?) async throws -> String {
            try await session.token(TokenWish(claims: claims, correlationID: "")).token.token.text
        }
        #expect(try await token(nil) == "access-1")
        #expect(try await token(#"{"a":{"b":null}}"#) == "access-2")
        #expect(bench.provider.requests("/token").last?["claims"] == #"{"a":{"b":null}}"#)
        #expect(try await token(#"{ "a": {"b": null} }"#) == "access-2")
        #expect(try await token(#"{"a":{"c":null}}"#) == "access-3")
        #expect(try await token(#"{"a":{"b":null}}"#) == "access-2")
        #expect(await cause { _ = try await session.token(TokenWish(claims: "[]")) } == .misconfigured(what: "claims"))
        // Whoever asks for none may have any; a plain token would be no better.
        #expect(["access-2", "access-3"].contains(try await token(nil)))
    }

    @Test func `A hundred who wait cause one refresh`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        let gate = SharedAnswer<Bool>()
        Rotation().install(bench) { _ = try? await gate.value() }
        bench.clock.advance(3500)
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await token(session) } }
            try await bench.provider.until(2, at: "/token")
            gate.settle(.success(true))
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(tokens == [String](repeating: "access-2", count: 100))
        #expect(bench.provider.requests("/token").count == 2)
    }

    @Test func `Who forces a refresh is not served with what another refresh finds in the cache`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        let gate = SharedAnswer<Bool>()
        Rotation().install(bench) { _ = try? await gate.value() }
        bench.clock.advance(3500)
        let ordinary = Task { try await token(session) }
        try await bench.provider.until(2, at: "/token")
        let forced = (0..<10).map { _ in Task { try await token(session, force: true) } }
        while await session.refreshes.count < 2 { await Task.yield() }
        gate.settle(.success(true))
        #expect(try await ordinary.value == "access-2")
        for forced in forced { #expect(try await forced.value == "access-3") }
        #expect(bench.provider.requests("/token").count == 3)
    }

    @Test func `Different scopes cannot pile up without bound`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        let gate = SharedAnswer<Bool>()
        Rotation().install(bench) { _ = try? await gate.value() }
        let tasks = (0..<64).map { number in Task { try await token(session, ["scope-\(number)"]) } }
        while await session.refreshes.count < 64 { await Task.yield() }
        #expect(await cause { _ = try await token(session, ["one-more"]) } == .unavailable(status: 429))
        gate.settle(.success(true))
        for task in tasks { _ = try await task.value }
        #expect(await session.holdings.cache.tokens(now: bench.clock.now).count == 65)
    }

    @Test func `A waiter that is cancelled harms nobody`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        let gate = SharedAnswer<Bool>()
        Rotation().install(bench) { _ = try? await gate.value() }
        bench.clock.advance(3500)
        // The first is the one that starts the refresh.
        let first = Task { await cause { _ = try await token(session) } }
        try await bench.provider.until(2, at: "/token")
        let others = (0..<10).map { _ in Task { try await token(session) } }
        first.cancel()
        #expect(await first.value == .canceled)
        gate.settle(.success(true))
        for other in others { #expect(try await other.value == "access-2") }
        #expect(bench.provider.requests("/token").count == 2)
    }

    @Test func `Refreshes for different scopes use each refresh token once`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        let rotation = Rotation()
        let under = Mutex(0)
        rotation.install(bench) {
            let now = under.withLock { under in
                under += 1
                return under
            }
            #expect(now == 1)
            for _ in 0..<20 { await Task.yield() }
            under.withLock { $0 -= 1 }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 { group.addTask { _ = try await token(session, ["scope-\(number % 20)"]) } }
            try await group.waitForAll()
        }
        #expect(rotation.state.withLock { $0.faults } == [])
        #expect(rotation.state.withLock { $0.current } == 21)
        #expect(await session.holdings.refreshToken?.text == "refresh-21")
        #expect(await session.refreshes.isEmpty)
    }

    @Test func `Offline a token that is still good is handed out, then the network's error`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        bench.provider.answer("/token") { _ throws(IdentityError) in throw IdentityError(.network) }
        bench.clock.advance(3500)
        #expect(try await token(session) == "access-1")
        #expect(await cause { _ = try await token(session, force: true) } == .network)
        #expect(await cause { _ = try await token(session, ["other"]) } == .network)
        bench.clock.advance(100)
        let error = await #expect(throws: IdentityError.self) { _ = try await token(session) }
        #expect(error == IdentityError(.network, correlationID: "app-1"))
        #expect(await session.holdings.refreshToken?.text == "refresh-1")
    }

    @Test(arguments: [
        (HTTPResponse.error("invalid_grant"), "invalid_grant"),
        (.error("interaction_required"), "interaction_required"),
        (.error("invalid_scope"), "invalid_scope"), (.error("invalid_request"), "invalid_request"),
        (HTTPResponse(status: 400), "invalid_grant"),
        (
            .json(#"{"error": "invalid_grant", "suberror": "basic_action", "error_codes": [50076]}"#, status: 400),
            "basic_action"
        ),
    ])
    func `When only the worker can go on, the app is told so`(answer: HTTPResponse, code: String) async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        bench.provider.answer("/token") { _ in answer }
        bench.clock.advance(3500)
        #expect(await cause { _ = try await token(session) } == .interactionRequired(code: code))
    }

    @Test func `Scopes that were not granted are named`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        Rotation().install(bench, scope: "User.Read Extra")
        let wanted = ["https://graph.microsoft.com/User.Read", "Mail.Read", "openid"]
        let token = try await session.accessToken(scopes: wanted, correlationID: "")
        #expect(token.grantedScopes == ["User.Read", "Extra"])
        #expect(token.declinedScopes == ["Mail.Read"])
        // What was declined once is not asked for again and again.
        _ = try await session.accessToken(scopes: wanted.reversed(), correlationID: "")
        #expect(bench.provider.requests("/token").count == 2)
        #expect(
            bench.provider.requests("/token").last?["scope"]
                == "https://graph.microsoft.com/User.Read Mail.Read openid profile offline_access")
    }

    @Test func `Without a refresh token the worker must sign in again`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench, refresh: nil)
        bench.clock.advance(3500)
        #expect(try await token(session) == "access-1")
        try await session.renew()
        bench.clock.advance(100)
        #expect(await cause { _ = try await token(session) } == .interactionRequired(code: "login_required"))
        #expect(bench.provider.requests("/token").count == 1)
    }

    @Test func `A sign-in that brings an ID token alone is one, and an API's scope brings an access token`()
        async throws
    {
        let bench = FlowsBench()
        let (nonces, made) = (bench.nonces, bench.clock.now)
        bench.provider.answer("/token") { request in
            let fields = request["scope"] == nil ? "" : #", "access_token": "access-api", "expires_in": 3600"#
            let nonce = request["grant_type"] == "refresh_token" ? "" : nonces.text
            return .json(
                #"{"id_token": "ana/\#(nonce)/\#(made)/x", "refresh_token": "r", "token_type": "Bearer"\#(fields)}"#)
        }
        let session = try await bench.signIn().session
        #expect(session.identity.subject == "ana")
        guard case .unsupported(let what) = await cause({ _ = try await token(session) }) else {
            Issue.record("a token without a token")
            return
        }
        #expect(what.contains("access token"))
        #expect(try await token(session, ["api"]) == "access-api")
        // What keeps a session fresh is content with the ID token.
        try await session.renew()
        #expect(await session.holdings.cache.tokens(now: made).map(\.token.text) == ["access-api"])
    }

    @Test func `A token of unknown life is used for five minutes`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench, expires: nil)
        Rotation().install(bench)
        bench.clock.advance(300)
        #expect(try await token(session) == "access-1")
        bench.clock.advance(1)
        #expect(try await token(session) == "access-2")
    }

    @Test func `A refreshed ID token about somebody else is not kept, and its tokens are revoked`() async throws {
        let bench = FlowsBench(metadata: { $0.revocationEndpoint = "\(FlowsProvider.origin)/revoke" })
        let session = try await session(bench)
        bench.provider.answer("/token") { _ in .tokens(access: "evil", refresh: "evil-refresh", id: "eve//0/x") }
        #expect(await cause { _ = try await token(session, force: true) } == .notTrusted(what: "sub"))
        #expect(await session.holdings.refreshToken?.text == "refresh-1")
        #expect(try await token(session) == "access-1")
        try await bench.provider.until(2, at: "/revoke")
        #expect(bench.provider.requests("/revoke").first?["token"] == "evil-refresh")
    }

    @Test func `A refresh token survives keys that cannot be fetched`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        Rotation().install(bench)
        bench.verification.set { $0.verificationFault = IdentityError(.timeout) }
        #expect(await cause { _ = try await token(session, force: true) } == .timeout)
        #expect(await session.holdings.refreshToken?.text == "refresh-2")
        bench.verification.set { $0.verificationFault = nil }
        #expect(try await token(session, force: true) == "access-3")
    }

    @Test func `The keeper refreshes what ends soon, and nothing else`() async throws {
        let bench = FlowsBench()
        let session = try await session(bench)
        Rotation().install(bench)
        try await session.renew()
        #expect(bench.provider.requests("/token").count == 1)
        bench.clock.advance(3400)
        try await session.renew()
        #expect(bench.provider.requests("/token").count == 2)
        #expect(await session.holdings.refreshToken?.text == "refresh-2")
    }
}
