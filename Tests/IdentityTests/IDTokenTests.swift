import Secrets
import Testing
import Vocabulary
import WebText

@testable import Identity

@Suite("ID tokens", .timeLimit(.minutes(2)))
struct IDTokenTests {
    @Test func `a good token says who signed in`() async throws {
        try await VerificationBench.run { bench in
            let verified = try await bench.verify([
                "email": "ana@example.com", "locale": "hr", "sid": "session-1", "auth_time": 1_799_999_990,
                "tid": .string(VerificationBench.tenant), "oid": .string(VerificationBench.tenant),
            ])
            let identity = verified.identity
            #expect(identity.issuer == bench.issuer && identity.subject == "worker-1")
            #expect(identity.username == "ana" && identity.name == "Ana Horvat" && identity.locale == "hr")
            #expect(identity.email == "ana@example.com" && identity.sessionID == "session-1")
            #expect(identity.authenticationTime == 1_799_999_990 && identity.environment == "127.0.0.1")
            // An ordinary provider's `tid` is not a tenant of Entra ID.
            #expect(identity.tenant.isEmpty && identity.homeAccountID == "worker-1")
            #expect(verified.claims["oid"]?.string == VerificationBench.tenant)
        }
    }

    /// Each of these differs from a good token in one point.
    static let wrong: [(String, [String: JSONValue])] = [
        ("it is from another issuer", ["iss": "https://other.example"]),
        ("it names no issuer", ["iss": nil]),
        ("it names no issuer", ["iss": 4]),
        ("its audience is another client", ["aud": "another-client"]),
        ("its audience is another client", ["aud": nil]),
        ("its audience is another client", ["aud": ["another-client"]]),
        ("its audience is another client", ["aud": []]),
        ("its audience is another client", ["aud": ["baton-terminal": true]]),
        ("it was made for another client", ["aud": ["baton-terminal", "another-client"]]),
        ("it was made for another client", ["aud": ["baton-terminal", "other"], "azp": "other"]),
        ("it was made for another client", ["azp": "another-client"]),
        ("it was made for another client", ["azp": 1]),
        ("it does not say when it expires", ["exp": nil]),
        ("it has expired", ["exp": .integer(SettableClock.start - 120)]),
        ("exp is not a time", ["exp": "1800000600"]),
        ("exp is not a time", ["exp": .number(1e300)]),
        ("exp is not a time", ["exp": .integer(.max)]),
        ("exp is not a time", ["exp": .integer(.min)]),
        ("it does not say when it was made", ["iat": nil]),
        ("it is not yet valid", ["nbf": .integer(SettableClock.start + 121)]),
        ("its nonce is not the one of this sign-in", ["nonce": "n-2"]),
        ("its nonce is not the one of this sign-in", ["nonce": nil]),
        ("its nonce is not the one of this sign-in", ["nonce": ["n-1"]]),
        ("it names no subject", ["sub": nil]),
        ("sub is not an identifier", ["sub": ""]),
        ("sub is not an identifier", ["sub": 1234]),
        ("sub is not an identifier", ["sub": .string(String(repeating: "s", count: 256))]),
        ("sub is not an identifier", ["sub": "wörker"]),
        ("sub is not an identifier", ["sub": "worker\n1"]),
        ("it is not an ID token", ["typ": "Bearer"]),
        ("it is not an ID token", ["typ": "Logout"]),
        ("it is not an ID token", ["events": ["http://schemas.openid.net/event/backchannel-logout": [:]]]),
    ]

    @Test(arguments: [(121, 600, 121), (3600, 4200, 3600), (-3600, -120, -3600), (-86_400, -82_800, -86_400)])
    func `a fresh token of another time tells that the clocks differ`(made: Int64, end: Int64, ahead: Int64)
        async throws
    {
        try await VerificationBench.run { bench in
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verify([
                    "iat": .integer(SettableClock.start + made), "exp": .integer(SettableClock.start + end),
                ])
            }
            #expect(cause == .clocksDiffer(seconds: ahead))
        }
    }

    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

    @Test(arguments: [
        (AuthorityType.entra, String?.some("/{tenantid}/v2.0"), true), (.entra, "/{TenantId}/v2.0", true),
        (.entra, "/\(VerificationBench.tenant)/v2.0", true), (.entra, nil, true),
        (.entra, "/\(personal)/v2.0", false), (.entra, "/{tenantid}/v1.0", false), (.entra, "", false),
        (.external, "/\(personal)/v2.0", true),
    ])
    func `a key of Entra ID signs for its own issuer only`(type: AuthorityType, keyIssuer: String?, isGood: Bool)
        async throws
    {
        let issuer = type == .entra ? "/{tenantid}/v2.0" : "/\(VerificationBench.tenant)/v2.0"
        let path = type == .entra ? "/common" : "/\(VerificationBench.tenant)"
        try await VerificationBench.run(type: type, path: path, issuer: issuer) { bench in
            guard case .object(var key) = bench.maker.publicKey else { return }
            key["issuer"] = keyIssuer.map { .string(bench.server.url + $0) }
            let document: JSONValue = ["keys": [.object(key)]]
            bench.script.change { $0.keys = document.bytes }
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verify([
                    "iss": .string("\(bench.server.url)/\(VerificationBench.tenant)/v2.0"),
                    "tid": .string(VerificationBench.tenant),
                ])
            }
            #expect(cause == (isGood ? nil : .notTrusted(what: "the token is refused: its key is for another issuer")))
        }
    }

    @Test(arguments: wrong)
    func `a token that breaks one rule is refused for it`(rule: String, changes: [String: JSONValue]) async throws {
        try await VerificationBench.run { bench in
            let cause = await refusal { () async throws(IdentityError) in try await bench.verify(changes) }
            #expect(cause == .notTrusted(what: "the token is refused: \(rule)"))
        }
    }

    @Test(
        arguments: [
            [:], ["aud": ["baton-terminal"]], ["aud": ["baton-terminal", "other"], "azp": "baton-terminal"],
            ["azp": "baton-terminal"], ["exp": .integer(SettableClock.start - 119)],
            ["iat": .integer(SettableClock.start + 120), "nbf": .integer(SettableClock.start + 120)],
            ["exp": .number(1_800_000_600.75)], ["typ": "ID"], ["auth_time": "yesterday"],
        ] as [[String: JSONValue]])
    func `what the rules leave open is accepted`(changes: [String: JSONValue]) async throws {
        try await VerificationBench.run { bench in
            let verified = try await bench.verify(changes)
            #expect(verified.identity.subject == "worker-1")
        }
    }

    @Test(arguments: ["at+jwt", "logout+jwt", "secevent+jwt", ""])
    func `a token of another type is refused`(type: String) async throws {
        try await VerificationBench.run { bench in
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verify(header: ["typ": .string(type)])
            }
            #expect(cause == .notTrusted(what: "the token is refused: it is not an ID token"))
        }
    }

    @Test(arguments: ["JWT", "jwt", "application/jwt", nil])
    func `a token may leave its type out`(type: String?) async throws {
        try await VerificationBench.run { bench in
            _ = try await bench.verify(header: ["typ": type.map { .string($0) } ?? .null])
        }
    }

    @Test func `the hashes bind token and code to the ID token`() async throws {
        try await VerificationBench.run { bench in
            // The example of OpenID Connect Core, appendix A.
            let accessToken = Secret(text: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
            let code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk"
            let good: [String: JSONValue] = ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ", "c_hash": "LDktKdoQak3Pk0cnXxCltA"]
            var expectation = bench.expectation
            expectation.accessToken = accessToken
            expectation.code = code
            _ = try await bench.verify(good, expecting: expectation)
            _ = try await bench.verify(expecting: expectation)
            for (name, value) in [("at_hash", "LDktKdoQak3Pk0cnXxCltA"), ("c_hash", ""), ("at_hash", nil)] {
                let changed = good.merging([name: value.map { .string($0) } ?? .integer(7)]) { $1 }
                let cause = await refusal { [expectation] () async throws(IdentityError) in
                    try await bench.verify(changed, expecting: expectation)
                }
                #expect(cause == .notTrusted(what: "the token is refused: \(name) does not match"))
            }
        }
    }

    @Test func `a wanted fresh sign-in must be fresh and said`() async throws {
        try await VerificationBench.run { bench in
            var expectation = bench.expectation
            expectation.maxAge = 60
            let fresh: JSONValue = .integer(SettableClock.start - 180)
            _ = try await bench.verify(["auth_time": fresh], expecting: expectation)
            let wrong: [(JSONValue, String)] = [
                (nil, "it does not say when the worker signed in"), ("now", "auth_time is not a time"),
                (.integer(SettableClock.start - 181), "the worker signed in too long ago"),
                (.integer(SettableClock.start + 121), "the sign-in lies in the future"),
            ]
            for (time, rule) in wrong {
                let changes = time == nil ? [:] : ["auth_time": time]
                let cause = await refusal { [expectation] () async throws(IdentityError) in
                    try await bench.verify(changes, expecting: expectation)
                }
                #expect(cause == .notTrusted(what: "the token is refused: \(rule)"))
            }
        }
    }

    @Test func `a refreshed token must be about the same worker, and needs no nonce`() async throws {
        try await VerificationBench.run { bench in
            var expectation = IDTokenExpectation(clientID: VerificationBench.clientID, subject: "worker-1")
            _ = try await bench.verify(["nonce": nil], expecting: expectation)
            expectation.subject = "worker-2"
            let cause = await refusal { [expectation] () async throws(IdentityError) in
                try await bench.verify(expecting: expectation)
            }
            #expect(cause == .notTrusted(what: "the token is refused: its subject is another account"))
        }
    }

    @Test func `what people see is short and has no control characters`() async throws {
        try await VerificationBench.run { bench in
            let identity = try await bench.verify([
                "name": .string("A\u{202E}na\n\u{1B}[31m" + String(repeating: "ž", count: 400)),
                "preferred_username": 7, "email": "  ana@example.com\u{0}", "locale": .null,
                "sid": .string(String(repeating: "s", count: 300)),
            ]).identity
            #expect(identity.name.hasPrefix("Ana[31mžž") && identity.name.utf8.count <= 256)
            #expect(identity.username == "ana@example.com" && identity.locale.isEmpty && identity.sessionID.isEmpty)
        }
    }

    @Test(arguments: ["upn", "unique_name", "email"])
    func `other claims stand in for the user name`(claim: String) async throws {
        try await VerificationBench.run { bench in
            let identity = try await bench.verify(["preferred_username": nil, claim: "ana@example.com"]).identity
            #expect(identity.username == "ana@example.com")
        }
    }
}
