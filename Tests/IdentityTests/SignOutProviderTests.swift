import Secrets
import Synchronization
import Testing
import Vocabulary
import WebText

@testable import Identity

@Suite(.timeLimit(.minutes(1))) struct SignOutProviderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var revocation: FlowsProvider.Answer?
        var logout: FlowsProvider.Answer?
        /// What the refresh token is worth after the sign-in.
        var refresh: FlowsProvider.Answer = SignOutProviderTests.alive
        var outcome: ProviderOutcome

        var testDescription: String { name }
    }

    private static let good: FlowsProvider.Answer = { _ in HTTPResponse(status: 200) }
    private static let refused: FlowsProvider.Answer = { _ in .error("invalid_client", status: 401) }
    private static let page: FlowsProvider.Answer = { _ in
        HTTPResponse(status: 200, headers: [("Content-Type", "text/html")], body: Array("<p>Really?</p>".utf8))
    }
    private static let unreachable: FlowsProvider.Answer = { _ throws(IdentityError) in throw IdentityError(.network) }
    private static let broken: FlowsProvider.Answer = { _ in HTTPResponse(status: 500) }
    private static let alive: FlowsProvider.Answer = { _ in .tokens(access: "access-2", refresh: "refresh-2") }
    private static let ended: FlowsProvider.Answer = { _ in .error("invalid_grant") }
    private static let loggedOut = redirect("https://terminal.example/out?state=STATE")

    /// A redirect; `STATE` in it stands for the request's.
    private static func redirect(_ target: String) -> FlowsProvider.Answer {
        { request in
            let state = FlowsBench.query(request.url)["state"] ?? ""
            return HTTPResponse(
                status: 302, headers: [("location", target.replacing("STATE", with: state))])
        }
    }

    private static let cases = [
        Case(name: "all done", revocation: good, logout: loggedOut, refresh: ended, outcome: .signedOut),
        Case(name: "refresh token lives", revocation: good, logout: loggedOut, outcome: .told),
        Case(
            name: "refresh token unclear", revocation: good, logout: loggedOut,
            refresh: { _ in .error("invalid_request") }, outcome: .told),
        Case(
            name: "consent missing", revocation: good, logout: loggedOut,
            refresh: { _ in .json(#"{"error":"invalid_grant","suberror":"consent_required"}"#, status: 400) },
            outcome: .told),
        Case(
            name: "nothing said of the refresh token", revocation: good, logout: loggedOut,
            refresh: { _ in HTTPResponse(status: 400) }, outcome: .told),
        Case(name: "refresh unreachable", revocation: good, logout: loggedOut, refresh: broken, outcome: .told),
        Case(name: "page that ended it", revocation: good, logout: page, refresh: ended, outcome: .signedOut),
        Case(name: "no state", revocation: good, logout: redirect("https://terminal.example/out"), outcome: .revoked),
        Case(
            name: "wrong state", revocation: good, logout: redirect("https://terminal.example/out?state=x"),
            outcome: .revoked),
        Case(
            name: "error", revocation: good, logout: redirect("https://terminal.example/out?error=x"), outcome: .revoked
        ),
        Case(name: "loopback", revocation: good, logout: redirect("http://127.0.0.1:9/x"), outcome: .revoked),
        Case(name: "loopback, six", revocation: good, logout: redirect("http://[::1]:9/x"), outcome: .revoked),
        Case(
            name: "like loopback", revocation: good, logout: redirect("http://127.0.0.1.evil.example/"),
            outcome: .revoked),
        Case(name: "user", revocation: good, logout: redirect("http://localhost@evil.example/"), outcome: .revoked),
        Case(name: "scheme", revocation: good, logout: redirect("msauth.app://out"), outcome: .revoked),
        Case(name: "login page", revocation: good, logout: redirect("https://login.example/login"), outcome: .revoked),
        Case(name: "relative", revocation: good, logout: redirect("/login?next=a:b"), outcome: .revoked),
        Case(name: "nowhere", revocation: good, logout: { _ in HTTPResponse(status: 302) }, outcome: .revoked),
        Case(name: "page", revocation: good, logout: page, outcome: .revoked),
        Case(name: "no content", revocation: good, logout: { _ in HTTPResponse(status: 204) }, outcome: .revoked),
        Case(name: "no log-out", revocation: good, logout: nil, outcome: .revoked),
        Case(name: "no revocation", revocation: nil, logout: loggedOut, refresh: ended, outcome: .signedOut),
        Case(name: "no revocation, lives", revocation: nil, logout: loggedOut, outcome: .told),
        Case(name: "no right to revoke", revocation: refused, logout: loggedOut, refresh: ended, outcome: .signedOut),
        Case(name: "no right to revoke, lives", revocation: refused, logout: loggedOut, outcome: .told),
        Case(name: "nothing offered", revocation: nil, logout: nil, outcome: .notTold),
        Case(name: "only a page", revocation: nil, logout: page, outcome: .told),
        Case(name: "page and no right", revocation: refused, logout: page, outcome: .refused),
        Case(name: "only a refusal", revocation: refused, logout: nil, outcome: .refused),
        Case(name: "refused", revocation: good, logout: { _ in .error("invalid_request") }, outcome: .refused),
        Case(name: "unreachable", revocation: unreachable, logout: unreachable, outcome: .pending),
        Case(name: "revocation unreachable", revocation: unreachable, logout: page, outcome: .pending),
        Case(name: "broken", revocation: good, logout: broken, outcome: .pending),
        Case(name: "busy", revocation: { _ in HTTPResponse(status: 429) }, logout: page, outcome: .pending),
        Case(name: "token unknown", revocation: { _ in .error("invalid_token") }, logout: page, outcome: .revoked),
    ]

    private func session(
        _ revocation: FlowsProvider.Answer?, _ logout: FlowsProvider.Answer?,
        refresh: @escaping FlowsProvider.Answer = SignOutProviderTests.alive
    ) async throws -> (FlowsBench, WorkerSession) {
        let bench = FlowsBench(
            metadata: {
                if revocation != nil { $0.revocationEndpoint = "\(FlowsProvider.origin)/revoke" }
                if logout != nil { $0.endSessionEndpoint = "\(FlowsProvider.origin)/logout" }
            }, settings: { $0.postLogoutRedirectURI = "https://terminal.example/out" })
        if let revocation { bench.provider.answer("/revoke", revocation) }
        if let logout { bench.provider.answer("/logout", logout) }
        bench.answerCodes()
        let session = try await bench.signIn().session
        bench.provider.answer("/token", refresh)
        return (bench, session)
    }

    @Test(arguments: cases) func `The outcome says what the provider knows`(_ expected: Case) async throws {
        let (_, session) = try await session(expected.revocation, expected.logout, refresh: expected.refresh)
        let told = await session.signOut(within: .seconds(30))
        #expect(told.outcome == expected.outcome, "\(told.explanation)")
        #expect(told.explanation.hasSuffix("."))
        #expect(!told.explanation.contains("canary"))
        #expect(await session.retrySignOut(within: .seconds(30)).outcome == expected.outcome)
    }

    @Test func `Refresh token, then access token, and the page are told without a browser`() async throws {
        let (bench, session) = try await session(Self.good, Self.page)
        let told = await session.signOut(within: .seconds(30))
        #expect(told.outcome == .revoked)
        let revocations = bench.provider.requests("/revoke")
        // What the look at the refresh token gave is revoked too.
        #expect(revocations.map { $0["token"] } == ["refresh-2", "refresh-1", "access-1", "access-2"])
        #expect(
            revocations.map { $0["token_type_hint"] }
                == ["refresh_token", "refresh_token", "access_token", "access_token"])
        #expect(revocations.allSatisfy { $0["client_id"] == "baton device" && $0.method == .post })
        let logout = try #require(bench.provider.requests("/logout").first)
        let query = FlowsBench.query(logout.url)
        #expect(logout.method == .get)
        #expect(query["id_token_hint"]?.hasPrefix("ana/") == true)
        #expect(query["client_id"] == "baton device")
        #expect(query["post_logout_redirect_uri"] == "https://terminal.example/out")
        #expect(query["state"]?.count == 43)
        // For a browser, afterwards.
        let page = FlowsBench.query(try #require(await session.logoutURL(state: "s-1")))
        #expect(page["state"] == "s-1")
        #expect(page["id_token_hint"] == query["id_token_hint"])
        // What was told once is not told again.
        #expect(await session.retrySignOut(within: .seconds(30)).outcome == .revoked)
        #expect(bench.provider.requests("/revoke").count == 4)
        #expect(bench.provider.requests("/logout").count == 1)
        #expect(bench.provider.requests("/token").map { $0["grant_type"] } == ["authorization_code", "refresh_token"])
    }

    @Test func `The log-out comes first, then the look at the refresh token, then the revocations`() async throws {
        let (bench, session) = try await session(Self.good, Self.loggedOut, refresh: Self.ended)
        let told = await session.signOut(within: .seconds(30))
        #expect(told.outcome == .signedOut && told.explanation.contains("refused the refresh token"))
        #expect(bench.provider.paths.suffix(4) == ["/logout", "/token", "/revoke", "/revoke"])
        #expect(bench.provider.requests("/token").last?["refresh_token"] == "refresh-1")
    }

    @Test(arguments: [true, false])
    func `A refresh token that was lost before shows nothing, unless it is seen to be good first`(isGood: Bool)
        async throws
    {
        let (bench, session) = try await session(Self.good, Self.loggedOut, refresh: Self.unreachable)
        // The answer is lost: the provider may have used the token up.
        _ = await cause { _ = try await session.accessToken(scopes: [], forceRefresh: true, correlationID: "") }
        bench.provider.answer("/token") { _ in
            isGood && bench.provider.requests("/logout").isEmpty
                ? .tokens(access: "access-2", refresh: "refresh-2") : .error("invalid_grant")
        }
        #expect(await session.signOut(within: .seconds(30)).outcome == (isGood ? .signedOut : .told))
    }

    @Test func `The page in the worker's browser and the provider's notice prove it, whenever they come`() async throws
    {
        for isEarly in [true, false] {
            for isPage in [true, false] {
                let (_, session) = try await session(Self.good, Self.loggedOut)
                if !isEarly { #expect(await session.signOut(within: .seconds(30)).outcome == .told) }
                await isPage ? session.endedInBrowser() : session.endedByNotice()
                let told = await session.signOut(within: .seconds(30))
                #expect(told.outcome == .signedOut)
                #expect(
                    told.explanation.contains(
                        isPage ? "in the worker's browser" : "reported that its session has ended"))
            }
        }
    }

    private static let hints: [(Authority.Kind, JSONValue, String?)] = [
        (.entra(.common), ["login_hint": "O.abc"], "O.abc"), (.entra(.common), ["login_hint": 7], nil),
        (.entra(.common), ["login_hint": "a\nb"], nil), (.entra(.common), [:], nil),
        (.openID, ["login_hint": "O.abc"], nil),
    ]

    @Test(arguments: hints)
    func `The log-out page of Entra ID is told whom to sign out, where the ID token says it`(
        kind: Authority.Kind, claims: JSONValue, hint: String?
    ) async throws {
        let bench = FlowsBench(
            metadata: { $0.endSessionEndpoint = "\(FlowsProvider.origin)/logout" },
            settings: { $0.authority = Authority(kind: kind, url: "\(FlowsProvider.origin)/common") })
        let idToken = Secret(text: "e30.\(Base64URL.encode(claims.bytes)).x")
        let session = WorkerSession(
            party: bench.client.party, identity: WorkerIdentity(issuer: FlowsProvider.origin, subject: "ana"),
            holdings: WorkerSession.Holdings(
                refreshToken: nil, idToken: idToken, sessionID: "", scopes: ScopeSet(granted: []),
                granted: ScopeSet(granted: [])), isClosed: false)
        let query = FlowsBench.query(try #require(await session.logoutURL(state: "s")))
        #expect(query["logout_hint"] == hint && query["id_token_hint"] == idToken.text)
    }

    @Test func `Only what the provider was not reached for is told again`() async throws {
        let (bench, session) = try await session(Self.unreachable, Self.loggedOut, refresh: Self.ended)
        #expect(await session.signOut(within: .seconds(30)).outcome == .pending)
        bench.provider.answer("/revoke", Self.good)
        bench.provider.answer("/logout", Self.refused)
        #expect(await session.retrySignOut(within: .seconds(30)).outcome == .signedOut)
        #expect(bench.provider.requests("/logout").count == 1)
        #expect(bench.provider.requests("/revoke").count == 4)
    }

    /// Answers nothing, ever, and does not listen to cancellation either.
    private static let hang: FlowsProvider.Answer = { _ in
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        return HTTPResponse(status: 200)
    }

    @Test func `A provider that hangs does not hold up a sign-out`() async throws {
        for (revocation, logout) in [(Self.hang, Self.hang), (Self.good, Self.hang), (Self.hang, Self.page)] {
            let (bench, session) = try await session(revocation, logout)
            async let told = session.signOut(within: .seconds(6))
            try await bench.provider.until(1, at: "/logout")
            await bench.clock.until(.seconds(6))
            await bench.clock.until(.seconds(3))
            // The tokens do not wait for a log-out that hangs.
            bench.clock.advance(3)
            try await bench.provider.until(1, at: "/revoke")
            bench.clock.advance(3)
            #expect(await told.outcome == .pending)
            #expect(await cause { _ = try await session.accessToken(scopes: [], correlationID: "") } == .canceled)
        }
    }

    @Test func `Discovery that hangs or fails does not hold up a sign-out either`() async throws {
        let (bench, session) = try await session(Self.good, Self.page)
        bench.verification.set { $0.metadataFault = IdentityError(.invalidAnswer(what: "discovery")) }
        #expect(await session.signOut(within: .seconds(30)).outcome == .pending)
        #expect(await session.logoutURL(state: "x") == nil)
        bench.verification.set { $0.metadataFault = nil }
        #expect(await session.retrySignOut(within: .seconds(30)).outcome == .revoked)
    }

    @Test func `A caller that no longer waits ends the wait, not the sign-out`() async throws {
        let (bench, session) = try await session(Self.hang, Self.hang)
        let waiting = Task { await session.signOut(within: .seconds(3600)) }
        try await bench.provider.until(1, at: "/logout")
        waiting.cancel()
        #expect(await waiting.value.outcome == .pending)
        bench.provider.answer("/revoke", Self.good)
        bench.provider.answer("/logout", Self.page)
        #expect(await session.retrySignOut(within: .seconds(30)).outcome == .revoked)
    }

    @Test func `An answer of an earlier try that comes late counts`() async throws {
        let gate = SharedAnswer<Bool>()
        let (bench, session) = try await session(Self.good) { _ in
            // Not in the task that is cancelled.
            await Task { _ = try? await gate.value() }.value
            return HTTPResponse(status: 200)
        }
        let waiting = Task { await session.signOut(within: .seconds(60)) }
        try await bench.provider.until(1, at: "/logout")
        await bench.clock.until(.seconds(60))
        await bench.clock.until(.seconds(30))
        bench.clock.advance(30)
        try await bench.provider.until(2, at: "/revoke")
        bench.clock.advance(30)
        #expect(await waiting.value.outcome == .pending)
        #expect(await session.retrySignOut(within: .zero).outcome == .pending)
        gate.settle(.success(true))
        while await session.debt?.isOpen == true { await Task.yield() }
        #expect(await session.retrySignOut(within: .zero).outcome == .revoked)
    }
}
