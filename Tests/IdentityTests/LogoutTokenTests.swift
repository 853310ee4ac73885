import Testing
import WebText

@testable import Identity

@Suite("Log-outs by the provider", .timeLimit(.minutes(2)))
struct LogoutTokenTests {
    @Test func `a good logout token names the session`() async throws {
        try await VerificationBench.run { bench in
            let notice = try await bench.verifyLogout()
            #expect(notice == LogoutNotice(issuer: bench.issuer, subject: "worker-1", sessionID: "session-1"))
        }
    }

    @Test(
        arguments: [
            ["sub": nil], ["sid": nil], ["exp": .integer(SettableClock.start + 60)],
            ["iat": .integer(SettableClock.start - 419)], ["aud": ["other", "baton-terminal"]],
            ["iat": .integer(SettableClock.start - 3600), "exp": .integer(SettableClock.start + 60)],
        ] as [[String: JSONValue]])
    func `what the rules leave open is accepted`(changes: [String: JSONValue]) async throws {
        try await VerificationBench.run { bench in
            _ = try await bench.verifyLogout(changes)
        }
    }

    @Test(arguments: ["logout+jwt", "JWT", "application/logout+jwt", nil])
    func `senders differ in the type`(type: String?) async throws {
        try await VerificationBench.run { bench in
            _ = try await bench.verifyLogout(header: ["typ": type.map { .string($0) } ?? .null])
        }
    }

    @Test func `a token of another type is refused`() async throws {
        try await VerificationBench.run { bench in
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verifyLogout(header: ["typ": "at+jwt"])
            }
            #expect(cause == .notTrusted(what: "the token is refused: it is not a logout token"))
        }
    }

    static let wrong: [(String, [String: JSONValue])] = [
        ("it announces no log-out", ["events": nil]),
        ("it announces no log-out", ["events": ["http://schemas.openid.net/event/backchannel-logout"]]),
        ("it announces no log-out", ["events": ["http://schemas.example/other": [:]]]),
        ("it announces no log-out", ["events": ["http://schemas.openid.net/event/backchannel-logout": true]]),
        ("it has a nonce", ["nonce": "n-1"]), ("it has a nonce", ["nonce": .null]),
        ("it is from another issuer", ["iss": "https://other.example"]),
        ("its audience is another client", ["aud": "another-client"]),
        ("it names neither a session nor a worker", ["sub": nil, "sid": nil]),
        ("sub is not an identifier", ["sub": 4]), ("sid is not an identifier", ["sid": ""]),
        ("it has no id", ["jti": nil]), ("jti is not an identifier", ["jti": 5]),
        ("it does not say when it was made", ["iat": nil]),
        ("it is too old", ["iat": .integer(SettableClock.start - 420)]),
        ("it is too old", ["iat": .integer(SettableClock.start - 90_000), "exp": .integer(SettableClock.start + 60)]),
        ("it was made in the future", ["iat": .integer(SettableClock.start + 121)]),
        ("it has expired", ["exp": .integer(SettableClock.start - 120)]),
        ("exp is not a time", ["exp": "soon"]),
        ("it is not yet valid", ["nbf": .integer(SettableClock.start + 121)]),
    ]

    @Test(arguments: wrong)
    func `a token that breaks one rule is refused for it`(rule: String, changes: [String: JSONValue]) async throws {
        try await VerificationBench.run { bench in
            var claims = bench.logoutClaims.merging(changes) { $1 }
            // A nonce of null is a nonce; every other null is a claim that is left out.
            let nonce = claims["nonce"]
            claims = claims.filter { $0.value != .null }
            claims["nonce"] = nonce
            let header = JSONValue.object(["alg": "ES256", "kid": "key-1"]).text
            let token = try bench.maker.sign(header, JSONValue.object(claims).text)
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verifier.verifyLogoutToken(token)
            }
            #expect(cause == .notTrusted(what: "the token is refused: \(rule)"))
        }
    }

    @Test func `a token counts once`() async throws {
        try await VerificationBench.run { bench in
            _ = try await bench.verifyLogout()
            for _ in 0..<2 {
                let cause = await refusal { () async throws(IdentityError) in try await bench.verifyLogout() }
                #expect(cause == .notTrusted(what: "the token is refused: it was used before"))
            }
            _ = try await bench.verifyLogout(["jti": "id-2"])
            // When it is forgotten it is too old.
            bench.clock.advance(420)
            let cause = await refusal { () async throws(IdentityError) in try await bench.verifyLogout() }
            #expect(cause == .notTrusted(what: "the token is refused: it is too old"))
        }
    }

    @Test func `what is remembered is bounded, and the youngest stay`() async throws {
        try await VerificationBench.run { bench in
            let discovery = bench.verifier.discovery
            let keys = KeySet(discovery: discovery, http: bench.http, clock: bench.clock.identityClock)
            let verifier = LogoutTokenVerifier(
                clientID: VerificationBench.clientID, discovery: discovery, keys: keys,
                clock: bench.clock.identityClock, capacity: 8)
            for number in 0..<30 {
                let claims: [String: JSONValue] = [
                    "jti": .string("id-\(number)"), "iat": .integer(SettableClock.start - 30 + Int64(number)),
                ]
                _ = try await verifier.verifyLogoutToken(
                    try bench.maker.token(bench.logoutClaims.merging(claims) { $1 }))
            }
            let seen = await verifier.seen
            #expect(Set(seen.keys) == Set((22..<30).map { "\(bench.issuer) id-\($0)" }))
        }
    }

    @Test func `a token that was refused may still come in order`() async throws {
        try await VerificationBench.run { bench in
            _ = await refusal { () async throws(IdentityError) in try await bench.verifyLogout(["nonce": "n-1"]) }
            _ = try await bench.verifyLogout()
        }
    }

    @Test func `an ID token is no logout token, and the other way round`() async throws {
        try await VerificationBench.run { bench in
            let token = try bench.maker.token(bench.claims.merging(["jti": "id-1"]) { $1 })
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verifier.verifyLogoutToken(token)
            }
            #expect(cause?.isDistrust == true)
            let other = await refusal { () async throws(IdentityError) in
                try await bench.verify(bench.logoutClaims.merging(["nonce": "n-1"]) { $1 })
            }
            #expect(other == .notTrusted(what: "the token is refused: it is not an ID token"))
        }
    }

    @Test func `a token of another key is refused and its size bounded`() async throws {
        try await VerificationBench.run { bench in
            let stranger = try await TokenMaker.elliptic()
            for token in [
                try stranger.token(bench.logoutClaims), String(repeating: "a", count: 100_000), "", "..", "a.b.c",
            ] {
                let cause = await refusal { () async throws(IdentityError) in
                    try await bench.verifier.verifyLogoutToken(token)
                }
                #expect(cause?.isDistrust == true)
            }
        }
    }

    @Test func `a notice concerns the very session`() throws {
        var worker = WorkerIdentity(issuer: "https://id.example.com", subject: "worker-1")
        worker.sessionID = "session-1"
        let cases: [(LogoutNotice?, Bool)] = [
            (LogoutNotice(issuer: worker.issuer, subject: "worker-1"), true),
            (LogoutNotice(issuer: worker.issuer, sessionID: "session-1"), true),
            (LogoutNotice(issuer: worker.issuer, subject: "worker-1", sessionID: "session-1"), true),
            (LogoutNotice(issuer: worker.issuer, subject: "worker-1", sessionID: "session-2"), false),
            (LogoutNotice(issuer: worker.issuer, subject: "worker-2", sessionID: "session-1"), false),
            (LogoutNotice(issuer: worker.issuer, subject: "worker-2"), false),
            (LogoutNotice(issuer: "https://other.example", subject: "worker-1"), false),
        ]
        for (notice, isMeant) in cases { #expect(try #require(notice).concerns(worker) == isMeant) }
        worker.sessionID = ""
        let both = LogoutNotice(issuer: worker.issuer, subject: "worker-1", sessionID: "session-1")
        #expect(try #require(both).concerns(worker))
        let session = LogoutNotice(issuer: worker.issuer, sessionID: "session-1")
        #expect(try #require(session).concerns(worker) == false)
        #expect(LogoutNotice(issuer: worker.issuer) == nil)
    }

    @Test func `a front-channel log-out needs issuer and session`() {
        let issuer = "https://id.example.com"
        #expect(
            LogoutNotice.frontChannelNotice(issuer: issuer, sessionID: "s")
                == LogoutNotice(issuer: issuer, sessionID: "s"))
        let long = String(repeating: "s", count: 256)
        for (issuer, session) in [(nil, "s"), (issuer, nil), (issuer, ""), ("", "s"), (issuer, long), (issuer, "s\n")] {
            #expect(LogoutNotice.frontChannelNotice(issuer: issuer, sessionID: session) == nil)
        }
    }
}
