import Secrets
import Synchronization
import Testing
import Vocabulary

@testable import Identity

@Suite(.timeLimit(.minutes(1))) struct SessionLifeTests {
    private func token(_ session: WorkerSession, force: Bool = false) async throws -> String {
        try await session.accessToken(scopes: [], forceRefresh: force, correlationID: "app-1").token.text
    }

    private func bench() -> FlowsBench {
        let bench = FlowsBench(
            metadata: {
                $0.revocationEndpoint = "\(FlowsProvider.origin)/revoke"
                $0.endSessionEndpoint = "\(FlowsProvider.origin)/logout"
            }, settings: { $0.postLogoutRedirectURI = "https://terminal.example/out" })
        bench.provider.answer("/revoke") { _ in HTTPResponse(status: 200) }
        bench.provider.answer("/logout", FlowsBench.loggedOut)
        bench.answerCodes()
        return bench
    }

    @Test func `An answer that comes after sign-out is dropped, and its tokens are revoked`() async throws {
        let bench = bench()
        let session = try await bench.signIn().session
        let gate = SharedAnswer<Bool>()
        bench.provider.answer("/token") { _ in
            _ = try? await gate.value()
            return .tokens(access: "late", refresh: "late-refresh", id: "ana//0/late")
        }
        async let waiting = cause { _ = try await token(session, force: true) }
        try await bench.provider.until(2, at: "/token")
        let outcome = await session.signOut(within: .seconds(5))
        // The refresh under way uses the refresh token, so that cannot show whether the session has ended.
        #expect(outcome.outcome == .told)
        #expect(await waiting == .canceled)
        #expect(await cause { _ = try await token(session) } == .canceled)
        gate.settle(.success(true))
        try await bench.provider.until(4, at: "/revoke")
        #expect(
            bench.provider.requests("/revoke").map { $0["token"] } == ["refresh-1", "access-1", "late-refresh", "late"])
        #expect(await cause { _ = try await token(session) } == .canceled)
        #expect(await session.holdings.refreshToken?.text == "refresh-1")
    }

    @Test func `A sign-in again brings newer tokens, and the older ones are revoked with the turn`() async throws {
        let bench = bench()
        let session = try await bench.signIn().session
        bench.answerCodes(refresh: "refresh-again")
        let again = try await bench.signIn().session
        await session.replace(with: again)
        #expect(await session.holdings.refreshToken?.text == "refresh-again")
        #expect(await cause { _ = try await token(again) } == .canceled)
        #expect(await again.signOut(within: .seconds(1)).outcome == .notTold)
        #expect(try await token(session) == "access-1")
        // The provider may have one session for both.
        #expect(bench.provider.requests("/revoke").isEmpty)
        _ = await session.signOut(within: .seconds(1))
        #expect(bench.provider.requests("/revoke").map { $0["token"] }.contains("refresh-1"))
    }

    @Test func `Every access token that was given out is revoked at the end, also what a newer one replaced`()
        async throws
    {
        let bench = bench()
        let session = try await bench.signIn().session
        bench.provider.answer("/token", countingFrom: 2) { next in
            .tokens(access: "access-\(next)", refresh: "refresh-1", id: "ana//0/x")
        }
        for _ in 0..<2 { _ = try await token(session, force: true) }
        bench.answerCodes(refresh: "refresh-again")
        await session.replace(with: try await bench.signIn().session)
        // The access token of the sign-in again has the first one's name, and is revoked once.
        _ = await session.signOut(within: .seconds(5))
        try await bench.provider.until(5, at: "/revoke")
        #expect(
            bench.provider.requests("/revoke").compactMap { $0["token"] }.sorted() == [
                "access-1", "access-2", "access-3", "refresh-1", "refresh-again",
            ])
    }

    @Test func `What was given out is revoked also after a restart, and by then only what is still good`() async throws
    {
        let bench = bench()
        let session = try await bench.signIn().session
        bench.provider.answer("/token") { _ in
            .tokens(access: "access-2", refresh: "refresh-2", id: "ana//0/x", expires: 7200)
        }
        _ = try await token(session, force: true)
        let restored = try #require(WorkerSession(sealed: await session.sealed(), client: bench.client))
        bench.clock.advance(3700)
        _ = await restored.signOut(within: .seconds(5))
        // What batond's look after the log-out brings has the same names.
        #expect(Set(bench.provider.requests("/revoke").map { $0["token"] }) == ["refresh-2", "access-2"])
    }

    @Test func `A look that brings a refresh token and no access token leaves nothing good behind`() async throws {
        let bench = bench()
        let (nonces, now) = (bench.nonces, bench.clock.now)
        bench.provider.answer("/token", countingFrom: 1) { next in
            .json(#"{"id_token": "ana/\#(nonces.text)/\#(now)/x", "refresh_token": "refresh-\#(next)"}"#)
        }
        let session = try await bench.signIn().session
        _ = await session.signOut(within: .seconds(5))
        #expect(Set(bench.provider.requests("/revoke").map { $0["token"] }) == ["refresh-1", "refresh-2"])
    }

    @Test func `A refresh that a sign-in again overtook does not replace the newer tokens`() async throws {
        let bench = bench()
        let session = try await bench.signIn().session
        bench.answerCodes(refresh: "refresh-again")
        let again = try await bench.signIn().session
        let gate = SharedAnswer<Bool>()
        bench.provider.answer("/token") { request in
            guard request["refresh_token"] == "refresh-1" else {
                return .tokens(access: "newest", refresh: "refresh-newest", id: "ana//0/x")
            }
            _ = try? await gate.value()
            return .tokens(access: "old-line", refresh: "refresh-old-line", id: "ana//0/x")
        }
        async let waiting = token(session, force: true)
        try await bench.provider.until(3, at: "/token")
        await session.replace(with: again)
        gate.settle(.success(true))
        #expect(try await waiting == "newest")
        #expect(await session.holdings.refreshToken?.text == "refresh-newest")
        try await bench.provider.until(2, at: "/revoke")
        #expect(
            Set(bench.provider.requests("/revoke").map { $0["token"] }) == ["refresh-old-line", "old-line"])
    }

    /// The tokens of another sign-in of Ana's are called by this name.
    private func answerSecondSignIn(_ bench: FlowsBench, _ name: String, scope: String) {
        bench.provider.answer("/token") { _ in
            .tokens(
                access: "access-\(name)", refresh: "refresh-\(name)",
                id: "ana/\(bench.nonces.text)/\(bench.clock.now)/second", scope: scope)
        }
    }

    @Test func `What a worker allows beside their sign-in takes nothing away, and all of it is told at the end`()
        async throws
    {
        let bench = bench()
        let session = try await bench.signIn().session
        answerSecondSignIn(bench, "mail", scope: "openid mail")
        var request = FlowsBench.request()
        request.scopes = ["mail"]
        await session.join(try await bench.signIn(request).session)
        #expect(try await token(session) == "access-1")
        #expect(try await session.accessToken(scopes: ["mail"], correlationID: "").token.text == "access-mail")
        #expect(session.grantedScopes.contains("mail"))
        #expect(bench.provider.requests("/revoke").isEmpty)
        // Also what a restart between the two left of it.
        let restored = try #require(WorkerSession(sealed: await session.sealed(), client: bench.client))
        #expect(await restored.holdings.olderRefreshTokens.map(\.text) == ["refresh-1"])
        _ = await session.signOut(within: .seconds(1))
        #expect(
            Set(bench.provider.requests("/revoke").map { $0["token"] })
                == ["refresh-mail", "refresh-1", "access-1", "access-mail"])
    }

    @Test func `What a worker shows themselves with is revoked with the turn and not before`() async throws {
        let bench = bench()
        let session = try await bench.signIn().session
        answerSecondSignIn(bench, "shown", scope: "openid")
        var request = FlowsBench.request()
        request.isProofOnly = true
        let shown = try await bench.signIn(request).session
        await session.hold(shown)
        #expect(await cause { _ = try await token(shown) } == .canceled)
        #expect(try await token(session) == "access-1")
        #expect(await session.holdings.refreshToken?.text == "refresh-1")
        #expect(bench.provider.requests("/revoke").isEmpty)
        _ = await session.signOut(within: .seconds(1))
        #expect(
            Set(bench.provider.requests("/revoke").map { $0["token"] })
                == ["refresh-shown", "refresh-1", "access-1", "access-shown"])
    }

    @Test func `Another worker's sign-in replaces nothing`() async throws {
        let bench = bench()
        let session = try await bench.signIn().session
        bench.answerCodes(subject: "eve", refresh: "refresh-eve")
        let other = try await bench.signIn().session
        await session.replace(with: other)
        #expect(await session.holdings.refreshToken?.text == "refresh-1")
        #expect(await cause { _ = try await token(other) } == .canceled)
        try await bench.provider.until(2, at: "/revoke")
        #expect(bench.provider.requests("/revoke").first?["token"] == "refresh-eve")
    }

    @Test func `A sign-in that did not take the device is revoked`() async throws {
        let bench = bench()
        let session = try await bench.signIn().session
        await session.discard()
        #expect(await cause { _ = try await token(session) } == .canceled)
        try await bench.provider.until(2, at: "/revoke")
        #expect(bench.provider.requests("/revoke").map { $0["token_type_hint"] } == ["refresh_token", "access_token"])
        #expect(bench.provider.requests("/logout").isEmpty)
    }

    @Test func `A restored session goes on where it was`() async throws {
        let bench = bench()
        let signedIn = try await bench.signIn()
        let sealed = await signedIn.session.sealed()
        let restored = try #require(WorkerSession(sealed: sealed, client: bench.client))
        #expect(restored.identity == signedIn.identity)
        #expect(await restored.sessionID == "session-of-ana")
        bench.provider.answer("/token") { _ in .tokens(access: "access-2", refresh: "refresh-2", id: "ana//0/x") }
        #expect(try await token(restored) == "access-2")
        #expect(bench.provider.requests("/token").last?["refresh_token"] == "refresh-1")
        #expect(bench.provider.requests("/token").last?["scope"] == nil)
        bench.provider.answer("/token") { _ in .error("invalid_grant") }
        #expect(await restored.signOut(within: .seconds(5)).outcome == .signedOut)
    }

    @Test func `What the provider is still to be told survives a restart, and nothing else of a signed-out worker`()
        async throws
    {
        let bench = bench()
        let session = try await bench.signIn().session
        bench.provider.answer("/logout") { _ throws(IdentityError) in throw IdentityError(.network) }
        #expect(await session.signOut(within: .seconds(5)).outcome == .pending)
        let sealed = await session.sealed()
        #expect(!sealed.text.contains("refresh-1"))
        let restored = try #require(WorkerSession(sealed: sealed, client: bench.client))
        #expect(await cause { _ = try await token(restored) } == .canceled)
        bench.provider.answer("/logout", FlowsBench.loggedOut)
        // The refresh token is revoked, so it shows nothing any more.
        #expect(await restored.retrySignOut(within: .seconds(5)).outcome == .told)
        #expect(bench.provider.requests("/revoke").count == 2)
    }

    @Test func `What cannot be read restores nothing`() async throws {
        let bench = bench()
        let sealed = await (try await bench.signIn()).session.sealed().text
        for text in [
            "", "{}", "[]", String(sealed.dropLast()), sealed.replacing("\"version\":1", with: "\"version\":2"),
        ] {
            #expect(WorkerSession(sealed: Secret(text: text), client: bench.client) == nil)
        }
    }

    @Test func `Each rotation is announced, and the announcement finds the newest`() async throws {
        let bench = bench()
        let session = try await bench.signIn().session
        let seen = Mutex<[String]>([])
        let enough = SharedAnswer<Bool>()
        await session.setOnChange {
            let sealed = await session.sealed().text
            let count = seen.withLock { seen in
                seen.append(sealed)
                return seen.count
            }
            if count == 3 { enough.settle(.success(true)) }
        }
        bench.provider.answer("/token", countingFrom: 2) { next in
            .tokens(access: "access-\(next)", refresh: "refresh-\(next)", id: "ana//0/x")
        }
        for _ in 0..<3 { _ = try await token(session, force: true) }
        _ = try await enough.value()
        #expect(seen.withLock { $0.last }?.contains("refresh-4") == true)
    }
}
