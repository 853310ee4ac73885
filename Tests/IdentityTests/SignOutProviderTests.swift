import Secrets
import Synchronization
import Testing

@testable import Identity

@Suite(.timeLimit(.minutes(1))) struct SignOutProviderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var revocation: FlowsProvider.Answer?
        var logout: FlowsProvider.Answer?
        var outcome: ProviderSignOut.Outcome

        var testDescription: String { name }
    }

    private static let good: FlowsProvider.Answer = { _ in HTTPResponse(status: 200) }
    private static let refused: FlowsProvider.Answer = { _ in .error("invalid_client", status: 401) }
    private static let page: FlowsProvider.Answer = { _ in
        HTTPResponse(status: 200, headers: [("Content-Type", "text/html")], body: Array("<p>Really?</p>".utf8))
    }
    private static let unreachable: FlowsProvider.Answer = { _ throws(IdentityError) in throw IdentityError(.network) }
    private static let broken: FlowsProvider.Answer = { _ in HTTPResponse(status: 500) }

    /// A redirect; `STATE` in it stands for the request's.
    private static func redirect(_ target: String) -> FlowsProvider.Answer {
        { request in
            let state = FlowsBench.query(request.url)["state"] ?? ""
            return HTTPResponse(
                status: 302, headers: [("location", target.replacing("STATE", with: state))])
        }
    }

    private static let cases = [
        Case(
            name: "all done", revocation: good, logout: redirect("https://terminal.example/out?state=STATE"),
            outcome: .signedOut),
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
        Case(
            name: "no revocation", revocation: nil, logout: redirect("https://terminal.example/out?state=STATE"),
            outcome: .signedOut),
        Case(
            name: "no right to revoke", revocation: refused,
            logout: redirect("https://terminal.example/out?state=STATE"), outcome: .signedOut),
        Case(name: "nothing offered", revocation: nil, logout: nil, outcome: .notTold),
        Case(name: "only a page", revocation: nil, logout: page, outcome: .notTold),
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
        _ revocation: FlowsProvider.Answer?, _ logout: FlowsProvider.Answer?
    ) async throws -> (FlowsBench, WorkerSession) {
        let bench = FlowsBench(
            metadata: {
                if revocation != nil { $0.revocationEndpoint = "\(FlowsProvider.origin)/revoke" }
                if logout != nil { $0.endSessionEndpoint = "\(FlowsProvider.origin)/logout" }
            }, settings: { $0.postLogoutRedirectURI = "https://terminal.example/out" })
        if let revocation { bench.provider.answer("/revoke", revocation) }
        if let logout { bench.provider.answer("/logout", logout) }
        bench.answerCodes()
        return (bench, try await bench.signIn().session)
    }

    @Test(arguments: cases) func `The outcome says what the provider knows`(_ expected: Case) async throws {
        let (_, session) = try await session(expected.revocation, expected.logout)
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
        #expect(revocations.map { $0["token"] } == ["refresh-1", "access-1"])
        #expect(revocations.map { $0["token_type_hint"] } == ["refresh_token", "access_token"])
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
        #expect(bench.provider.requests("/revoke").count == 2)
        #expect(bench.provider.requests("/logout").count == 1)
    }

    @Test func `Only what the provider was not reached for is told again`() async throws {
        let (bench, session) = try await session(
            Self.unreachable, Self.redirect("https://terminal.example/out?state=STATE"))
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
            async let told = session.signOut(within: .seconds(5))
            try await bench.provider.until(1, at: "/logout")
            try await bench.provider.until(1, at: "/revoke")
            await bench.clock.until(.seconds(5))
            bench.clock.advance(5)
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
        try await bench.provider.until(2, at: "/revoke")
        await bench.clock.until(.seconds(60))
        bench.clock.advance(60)
        #expect(await waiting.value.outcome == .pending)
        #expect(await session.retrySignOut(within: .zero).outcome == .pending)
        gate.settle(.success(true))
        while await session.debt?.isOpen == true { await Task.yield() }
        #expect(await session.retrySignOut(within: .zero).outcome == .revoked)
    }
}
