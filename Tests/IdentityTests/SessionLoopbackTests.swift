import Logging
import Secrets
import Synchronization
import Testing
import Vocabulary
import WebText

@testable import Identity

/// Sign-in, refresh and sign-out over real connections, with real signatures.
@Suite(.timeLimit(.minutes(2))) struct SessionLoopbackTests {
    /// A provider whose tokens are good; where it is told of a sign-out is up to the test.
    private func withClient<Value: Sendable>(
        signOutAt other: String? = nil, _ body: (OpenIDClient, LoopbackServer, SharedText) async throws -> Value
    ) async throws -> Value {
        let maker = try await TokenMaker.elliptic()
        let nonce = SharedText()
        let refreshes = Mutex(1)
        let hasEnded = Mutex(false)
        let answer: LoopbackServer.Answer = { request in
            let origin = "http://\(request.header("Host") ?? "")"
            switch request.target.prefix(while: { $0 != "?" }) {
            case "/.well-known/openid-configuration":
                let document: JSONValue = [
                    "issuer": .string(origin), "authorization_endpoint": .string("\(origin)/authorize"),
                    "token_endpoint": .string("\(origin)/token"), "jwks_uri": .string("\(origin)/keys"),
                    "revocation_endpoint": .string("\(other ?? origin)/revoke"),
                    "end_session_endpoint": .string("\(other ?? origin)/logout"),
                ]
                return HTTPResponse(status: 200, body: document.bytes)
            case "/keys": return HTTPResponse(status: 200, body: TokenMaker.document([maker]))
            case "/token" where hasEnded.withLock { $0 }: return .error("invalid_grant")
            case "/token":
                let number = refreshes.withLock { number in
                    number += 1
                    return number
                }
                let claims: [String: JSONValue] = [
                    "iss": .string(origin), "sub": "ana", "aud": "terminal", "nonce": .string(nonce.text),
                    "iat": .integer(SettableClock.start), "exp": .integer(SettableClock.start + 600), "sid": "s-1",
                ]
                guard let id = try? maker.token(claims) else { return HTTPResponse(status: 500) }
                return .tokens(access: "access-\(number)", refresh: "refresh-\(number)", id: id)
            case "/revoke": return HTTPResponse(status: 200)
            case "/logout":
                hasEnded.withLock { $0 = true }
                let query = FlowsBench.query(request.target)
                let target = "\(query["post_logout_redirect_uri"] ?? "")?state=\(query["state"] ?? "")"
                return HTTPResponse(status: 302, headers: [(name: "Location", value: target)])
            default: return HTTPResponse(status: 404)
            }
        }
        return try await LoopbackServer.run(answer: answer) { server in
            var settings = ClientSettings.ordinary(
                authority: Authority(kind: .openID, url: server.url), clientID: "terminal")
            settings.postLogoutRedirectURI = "https://terminal.example/out"
            let http = try HTTPSExchange(requestTimeout: .seconds(60), caFile: nil, proxy: nil)
            let client = OpenIDClient(
                settings: settings, http: http, clock: SettableClock().identityClock,
                log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
            do {
                let value = try await body(client, server, nonce)
                await http.shutdown()
                return value
            } catch {
                await http.shutdown()
                throw error
            }
        }
    }

    private func signIn(_ client: OpenIDClient, _ nonce: SharedText) async throws -> WorkerSession {
        let pending = try await client.begin(FlowsBench.request())
        nonce.set(FlowsBench.query(pending.url)["nonce"] ?? "")
        #expect(await client.deliver("\(FlowsBench.redirectURI)?code=c&state=\(pending.state)") == .accepted)
        return try await client.finish(pending).session
    }

    @Test func `A worker signs in, gets a token and signs out everywhere`() async throws {
        try await withClient { client, server, nonce in
            let session = try await signIn(client, nonce)
            #expect(session.identity.subject == "ana")
            #expect(session.identity.issuer == server.url)
            #expect(await session.sessionID == "s-1")
            let token = try await session.accessToken(scopes: [], forceRefresh: true, correlationID: "app-1")
            #expect(token.token.text == "access-3")
            let notice = try #require(LogoutNotice(issuer: server.url, subject: "ana", sessionID: "s-1"))
            #expect(await session.isMeant(by: notice))
            let told = await session.signOut(within: .seconds(20))
            #expect(told.outcome == .signedOut, "\(told.explanation)")
            #expect(server.requests.count { $0.target == "/revoke" } == 3)
            #expect(server.requests.first { $0.target == "/revoke" }?.body.contains("token=refresh-3&") == true)
        }
    }

    @Test func `An ID token for another sign-in is refused`() async throws {
        try await withClient { client, _, nonce in
            let pending = try await client.begin(FlowsBench.request())
            nonce.set("another")
            _ = await client.deliver("\(FlowsBench.redirectURI)?code=c&state=\(pending.state)")
            #expect(await cause { _ = try await client.finish(pending) }?.isDistrust == true)
        }
    }

    private static let conducts: [(name: String, conduct: RawServer.Conduct)] = [
        ("silence", .silence), ("nothing", .say([])), ("garbage", .say(Array("\u{0}\u{1}garbage\r\n\r\n".utf8))),
        ("trickle", .trickle(Array("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".utf8), 0x61)),
        ("flood", .flood(Array("HTTP/1.1 200 OK\r\n\r\n".utf8), [UInt8](repeating: 0x61, count: 65_536))),
        ("header", .flood(Array("HTTP/1.1 302 Found\r\n".utf8), Array("X-A: bbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n".utf8))),
    ]

    @Test(arguments: conducts.indices)
    func `A sign-out never takes longer than its limit, whatever the provider does`(index: Int) async throws {
        let conduct = Self.conducts[index]
        try await RawServer.run({ conduct.conduct }) { url in
            try await withClient(signOutAt: url) { client, _, nonce in
                let session = try await signIn(client, nonce)
                let start = ContinuousClock.now
                let told = await session.signOut(within: .milliseconds(500))
                // Far below the minute that a request may take, however busy this machine is.
                #expect(ContinuousClock.now - start < .seconds(20), "\(conduct.name)")
                #expect(told.outcome == .pending, "\(conduct.name): \(told.explanation)")
                #expect(await cause { _ = try await session.accessToken(scopes: [], correlationID: "") } == .canceled)
            }
        }
    }

    @Test func `A provider that says no is not asked again`() async throws {
        let refusal = Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8)
        try await RawServer.run({ .say(refusal) }) { url in
            try await withClient(signOutAt: url) { client, _, nonce in
                let session = try await signIn(client, nonce)
                #expect(await session.signOut(within: .seconds(60)).outcome == .refused)
                #expect(await session.retrySignOut(within: .zero).outcome == .refused)
            }
        }
    }

    @Test func `A provider that is gone leaves a sign-out pending, at once`() async throws {
        // Nothing listens where a server just was.
        let gone = try await RawServer.run({ .silence }) { $0 }
        try await withClient(signOutAt: gone) { client, _, nonce in
            let session = try await signIn(client, nonce)
            #expect(await session.signOut(within: .seconds(60)).outcome == .pending)
        }
    }
}
