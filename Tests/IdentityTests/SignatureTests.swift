import Crypto
import Secrets
import Testing
import WebText

@testable import Identity

@Suite("Signatures and keys", .timeLimit(.minutes(2)))
struct SignatureTests {
    @Test(arguments: SignatureAlgorithm.allCases.filter { !["ES384", "ES512"].contains($0.rawValue) })
    func `every algorithm that proves something is accepted`(algorithm: SignatureAlgorithm) async throws {
        let maker =
            switch algorithm {
            case .es256, .es384, .es512: try await TokenMaker.elliptic()
            case .edDSA: try await TokenMaker.edwards()
            default: try await TokenMaker.rsa(algorithm)
            }
        try await VerificationBench.run(maker: maker) { bench in
            let verified = try await bench.verify()
            #expect(verified.identity.subject == "worker-1")
        }
    }

    @Test func `longer elliptic keys are accepted`() async throws {
        let p384 = P384.Signing.PrivateKey()
        let p521 = P521.Signing.PrivateKey()
        try await VerificationBench.run { bench in
            bench.script.change { state in
                state.keys =
                    JSONValue.object([
                        "keys": [
                            Self.key("P-384", "a", p384.publicKey.rawRepresentation),
                            Self.key("P-521", "b", p521.publicKey.rawRepresentation),
                        ]
                    ]).bytes
            }
            let first = Self.unsigned(bench, alg: "ES384", kid: "a")
            let second = Self.unsigned(bench, alg: "ES512", kid: "b")
            let signatures = [
                try p384.signature(for: Array(first.utf8)).rawRepresentation,
                try p521.signature(for: Array(second.utf8)).rawRepresentation,
            ]
            for (text, signature) in zip([first, second], signatures) {
                let token = Secret(text: "\(text).\(Base64URL.encode(signature))")
                _ = try await bench.verifier.verify(token, expecting: bench.expectation)
            }
        }
    }

    private static func key(_ curve: String, _ id: String, _ point: some Collection<UInt8>) -> JSONValue {
        let half = point.count / 2
        return [
            "kty": "EC", "crv": .string(curve), "kid": .string(id), "x": .string(Base64URL.encode(point.prefix(half))),
            "y": .string(Base64URL.encode(point.suffix(half))),
        ]
    }

    private static func unsigned(_ bench: VerificationBench, alg: String, kid: String = "key-1") -> String {
        let header = JSONValue.object(["alg": .string(alg), "kid": .string(kid)]).text
        let payload = JSONValue.object(bench.claims).text
        return "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload.utf8))"
    }

    @Test func `tokens without a signature, or with one that a public key can make, are refused`() async throws {
        try await VerificationBench.run { bench in
            for (alg, key) in [("none", ""), ("None", ""), ("HS256", "x"), ("HS512", "x"), ("ES256K", "x"), ("", "")] {
                let text = Self.unsigned(bench, alg: alg)
                let code = HMAC<SHA256>.authenticationCode(
                    for: Array(text.utf8), using: SymmetricKey(data: Array(key.utf8)))
                for signature in ["", Base64URL.encode(code)] {
                    let cause = await refusal { () async throws(IdentityError) in
                        try await bench.verifier.verify(
                            Secret(text: "\(text).\(signature)"), expecting: bench.expectation)
                    }
                    #expect(
                        cause == .notTrusted(what: "the token is refused: its signature algorithm is not allowed"))
                }
            }
            #expect(bench.keyRequests == 0, "nobody needs keys to refuse these")
        }
    }

    @Test func `a signature of another key, or over other claims, is refused`() async throws {
        try await VerificationBench.run { bench in
            let stranger = try await TokenMaker.elliptic()
            let good = try bench.maker.token(bench.claims).split(separator: ".")
            let payload = Base64URL.encode(JSONValue.object(bench.claims.merging(["sub": "boss"]) { $1 }).bytes)
            for token in [
                try stranger.token(bench.claims), "\(good[0]).\(payload).\(good[2])", "\(good[0]).\(good[1]).",
            ] {
                let cause = await refusal { () async throws(IdentityError) in
                    try await bench.verifier.verify(Secret(text: token), expecting: bench.expectation)
                }
                #expect(cause == .notTrusted(what: "the token is refused: its signature is wrong"))
            }
        }
    }

    @Test func `an algorithm must be the key's own`() async throws {
        let maker = try await TokenMaker.rsa(.rs256)
        try await VerificationBench.run(maker: maker) { bench in
            var key = maker.publicKey.object ?? [:]
            key["alg"] = "PS256"
            let document = JSONValue.object(["keys": [.object(key)]]).bytes
            bench.script.change { $0.keys = document }
            let cause = await refusal { () async throws(IdentityError) in try await bench.verify() }
            #expect(cause == .notTrusted(what: "the token is refused: its key is not one of the provider's"))
        }
    }

    @Test(
        arguments: [
            ["crit": ["b64"], "b64": false], ["kid": 5], ["kid": .string(String(repeating: "k", count: 300))],
            ["typ": ["JWT"]],
        ] as [[String: JSONValue]])
    func `a header that wants more than is known is refused`(header: [String: JSONValue]) async throws {
        try await VerificationBench.run { bench in
            let cause = await refusal { () async throws(IdentityError) in try await bench.verify(header: header) }
            #expect(cause?.isDistrust == true)
        }
    }

    @Test func `keys inside a token are not looked at`() async throws {
        let stranger = try await TokenMaker.elliptic("key-1")
        try await VerificationBench.run { bench in
            let token = try stranger.token(
                bench.claims, header: ["jwk": stranger.publicKey, "jku": "http://127.0.0.1:1/"])
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verifier.verify(Secret(text: token), expecting: bench.expectation)
            }
            #expect(cause?.isDistrust == true)
        }
    }

    @Test func `a token that is too large is refused before anything is read`() async throws {
        try await VerificationBench.run { bench in
            let cause = await refusal { () async throws(IdentityError) in
                try await bench.verify(["padding": .string(String(repeating: "p", count: 50_000))])
            }
            #expect(cause == .notTrusted(what: "the token is refused: it is too large"))
            #expect(bench.server.requests.isEmpty)
        }
    }

    /// Keys that must not verify anything.
    static let useless: [[String: JSONValue]] = [
        ["use": "enc"], ["use": 4], ["key_ops": ["sign"]], ["key_ops": "verify"], ["kty": "oct"], ["kty": nil],
        ["kty": "oct", "k": "c2VjcmV0"], ["d": "AQAB"], ["alg": "RSA-OAEP"], ["alg": "HS256"], ["alg": 5],
        ["kid": 7], ["crv": "P-384"], ["crv": "secp256k1"], ["x": "AQAB"], ["x": nil], ["y": "!"], ["kty": "RSA"],
        ["kty": "RSA", "n": .string(TestKeys.rsa1024Modulus), "e": "AQAB"],
    ]

    @Test(arguments: useless)
    func `a key that is not for verifying is passed over`(changes: [String: JSONValue]) async throws {
        let maker = try await TokenMaker.elliptic()
        let key = (maker.publicKey.object ?? [:]).merging(changes) { $1 }.filter { $0.value != .null }
        #expect(JSONWebKey(.object(key)) == nil)
        #expect(JSONWebKey(maker.publicKey) != nil)
        // Beside a good one it does no harm.
        let document = JSONValue.object(["keys": [.object(key), 4, "key", maker.publicKey]]).bytes
        let keys = try await SigningKeys(document)
        #expect(keys.verify(try SignedToken(Array(try maker.token(["sub": "worker-1"]).utf8))) != nil)
    }

    @Test(arguments: [("e", "AQ"), ("e", "AA"), ("e", "AQABAQABAQAB"), ("e", ""), ("n", ""), ("n", "AAAA")])
    func `weak RSA numbers are passed over`(member: String, value: String) async throws {
        let maker = try await TokenMaker.rsa(.rs256)
        let key = (maker.publicKey.object ?? [:]).merging([member: .string(value)]) { $1 }
        #expect(JSONWebKey(.object(key)) == nil && JSONWebKey(maker.publicKey) != nil)
    }

    @Test func `key documents are bounded`() async throws {
        let maker = try await TokenMaker.elliptic()
        let many = JSONValue.object(["keys": .array(Array(repeating: maker.publicKey, count: 129))]).bytes
        for body in [many, Array("{}".utf8), Array(#"{"keys":[]}"#.utf8), Array(#"{"keys":{}}"#.utf8), [], [0xFF]] {
            let cause = await refusal { () async throws(IdentityError) in try await SigningKeys(body) }
            #expect(cause?.isInvalidAnswer == true)
        }
    }

    @Test func `a new key is fetched once when a token names it`() async throws {
        try await VerificationBench.run { bench in
            _ = try await bench.verify()
            let next = try await TokenMaker.elliptic("key-2")
            bench.script.change { $0.keys = TokenMaker.document([bench.maker, next]) }
            let token = Secret(text: try next.token(bench.claims))
            _ = try await bench.verifier.verify(token, expecting: bench.expectation)
            _ = try await bench.verify()
            #expect(bench.keyRequests == 2)
        }
    }

    @Test func `invented key ids do not make the device a burden for the provider`() async throws {
        try await VerificationBench.run { bench in
            for number in 0..<20 {
                let cause = await refusal { () async throws(IdentityError) in
                    try await bench.verify(header: ["kid": .string("invented-\(number)")])
                }
                #expect(cause == .notTrusted(what: "the token is refused: its key is not one of the provider's"))
            }
            #expect(bench.keyRequests == 2)
            bench.clock.advance(10)
            _ = await refusal { () async throws(IdentityError) in try await bench.verify(header: ["kid": "another"]) }
            #expect(bench.keyRequests == 3)
        }
    }

    @Test func `a token without a key id is tried with the keys that fit`() async throws {
        try await VerificationBench.run { bench in
            let other = try await TokenMaker.elliptic("key-0")
            bench.script.change { $0.keys = TokenMaker.document([other, bench.maker]) }
            _ = try await bench.verify(header: ["kid": nil])
            #expect(bench.keyRequests == 1)
        }
    }

    @Test func `keys are read again when they are no longer fresh, and serve when they cannot be`() async throws {
        try await VerificationBench.run { bench in
            _ = try await bench.verify()
            bench.clock.advance(3601)
            let later: [String: JSONValue] = ["exp": .integer(SettableClock.start + 200_000)]
            bench.script.change { $0.fault = HTTPResponse(status: 503) }
            _ = try await bench.verify(later)
            #expect(bench.keyRequests == 2)
            bench.clock.advance(24 * 3600)
            let cause = await refusal { () async throws(IdentityError) in try await bench.verify(later) }
            #expect(cause == .unavailable(status: 503))
        }
    }
}
