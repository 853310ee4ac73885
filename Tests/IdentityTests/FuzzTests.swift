import Testing
import WebText

@testable import Identity

/// Generated input: nothing may trap or hang, and nothing that was changed may be believed.
@Suite("Generated input", .timeLimit(.minutes(2)))
struct FuzzTests {
    /// How many inputs of each kind are tried, if they do not take too long.
    static let rounds = 1500
    static let budget = Duration.seconds(5)

    private let authority: Authority
    private let metadata: ProviderMetadata

    init() throws {
        authority = try Authority("https://id.example.com")
        metadata = ProviderMetadata(
            issuer: "https://id.example.com", authorizationEndpoint: "https://id.example.com/a",
            tokenEndpoint: "https://id.example.com/t", jwksURI: "https://id.example.com/k")
    }

    /// Tries changed samples until there were enough; a failure names the seed that repeats it.
    private func fuzz(
        _ samples: [[UInt8]], seed: UInt64, _ body: ([UInt8]) throws -> Bool
    ) async rethrows -> Int {
        let clock = ContinuousClock()
        let end = clock.now + Self.budget
        var mutator = Mutator(seed: seed)
        var tries = 0
        while tries < Self.rounds, clock.now < end {
            // Other tests wait for their answers meanwhile.
            await Task.yield()
            for sample in samples {
                let input = mutator.mutate(sample)
                tries += 1
                guard try body(input) else {
                    Issue.record("seed \(seed), try \(tries): \(String(decoding: input, as: UTF8.self))")
                    return tries
                }
            }
        }
        return tries
    }

    private func verification(_ maker: TokenMaker) async throws -> TokenFuzzEntry {
        try await TokenFuzzEntry(
            keys: TokenMaker.document([maker]), authority: authority, metadata: metadata, clientID: "baton",
            now: SettableClock.start)
    }

    private var claims: [String: JSONValue] {
        [
            "iss": "https://id.example.com", "sub": "worker-1", "aud": "baton", "jti": "id-1",
            "exp": .integer(SettableClock.start + 600), "iat": .integer(SettableClock.start),
        ]
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `no changed ID token is believed`(seed: UInt64) async throws {
        let makers = [try await TokenMaker.elliptic(), try await .edwards(), try await .rsa(.ps256)]
        for maker in makers {
            let entry = try await verification(maker)
            let token = Array(try maker.token(claims).utf8)
            #expect(entry.idToken(token))
            let tries = await fuzz([token], seed: seed) { !entry.idToken($0) }
            #expect(tries > 0)
        }
    }

    @Test func `no changed logout token is believed`() async throws {
        let maker = try await TokenMaker.elliptic()
        let entry = try await verification(maker)
        let logout: JSONValue = ["http://schemas.openid.net/event/backchannel-logout": [:]]
        let token = Array(try maker.token(claims.merging(["events": logout]) { $1 }).utf8)
        #expect(entry.logoutToken(token))
        let tries = await fuzz([token], seed: 3) { !entry.logoutToken($0) }
        #expect(tries > 0)
    }

    /// Signed by the provider, and still nonsense: the rules themselves meet generated claims.
    @Test func `changed claims with a good signature never trap, and name the right parties when believed`()
        async throws
    {
        let maker = try await TokenMaker.edwards()
        let entry = try await verification(maker)
        let header = JSONValue.object(["alg": "EdDSA", "kid": "key-1"]).text
        let samples = [JSONValue.object(claims).bytes]
        let tries = try await fuzz(samples, seed: 4) { payload in
            let token = Array(try maker.sign(header, String(decoding: payload, as: UTF8.self)).utf8)
            _ = entry.logoutToken(token)
            guard entry.idToken(token) else { return true }
            let claims = JSONValue(String(decoding: payload, as: UTF8.self).utf8)
            return claims?["iss"] == "https://id.example.com" && claims?["sub"]?.string?.isEmpty == false
        }
        #expect(tries > 0)
    }

    @Test func `a changed discovery document names only safe addresses`() async throws {
        let document = JSONValue.object(
            ProviderMetadataTests.good.merging([
                "userinfo_endpoint": "https://id.example.com/u", "scopes_supported": ["openid", "email"],
                "authorization_response_iss_parameter_supported": true,
            ]) { $1 }
        ).bytes
        #expect(FuzzEntry.discovery(document, authority: authority))
        let tries = await fuzz([document], seed: 5) { input in
            guard FuzzEntry.discovery(input, authority: authority),
                let metadata = try? ProviderMetadata(input, authority: authority)
            else { return true }
            return authority.accepts(metadataIssuer: metadata.issuer)
                && [metadata.authorizationEndpoint, metadata.tokenEndpoint, metadata.jwksURI].allSatisfy {
                    WebAddress(ofProvider: $0)?.scheme == "https"
                }
        }
        #expect(tries > 0)
    }

    @Test func `changed key documents never trap`() async throws {
        let documents = [
            TokenMaker.document([try await .elliptic(), try await .edwards(), try await .rsa(.rs256)]),
            TokenMaker.document([try await .elliptic()]),
        ]
        let tries = await fuzz(documents, seed: 6) { input in
            _ = FuzzEntry.keys(input)
            return true
        }
        #expect(tries > 0)
    }

    @Test func `changed answers and addresses never trap`() async {
        let answers = [
            "200\nmax-age=600, public\n{\"sub\":\"worker-1\",\"name\":\"Ana\",\"emails\":[\"a@b\"],\"auth_time\":1.5e9}",
            "400\nno-store\n{\"error\":\"invalid_grant\",\"error_codes\":[50076]}",
        ]
        let addresses = [
            "https://login.microsoftonline.com/common/v2.0", "https://c.b2clogin.com/tfp/c.example/B2C_1_in/v2.0",
            "https://[::1]:8443/a?b=c", "http://127.0.0.1:80/adfs",
        ]
        let answered = await fuzz(answers.map { Array($0.utf8) }, seed: 7) { input in
            _ = FuzzEntry.answer(input, authority: authority, metadata: metadata)
            return true
        }
        let addressed = await fuzz(addresses.map { Array($0.utf8) }, seed: 8) { input in
            _ = FuzzEntry.address(input)
            return true
        }
        #expect(answered > 0 && addressed > 0)
    }

    @Test func `changed HTTP never traps the client and always ends`() async throws {
        let sample = Array(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\n{\"sub\":\"worker\"}\n".utf8
        )
        let chunked = Array(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n".utf8)
        let inputs = {
            var mutator = Mutator(seed: 9)
            return (0..<150).flatMap { _ in [mutator.mutate(sample), mutator.mutate(chunked)] }
        }()
        let http = try HTTPSExchange(requestTimeout: .milliseconds(500), caFile: nil, proxy: nil)
        for input in inputs {
            try await RawServer.run({ .say(input) }) { url in
                let cause = await refusal { () async throws(IdentityError) in
                    let response = try await http.send(HTTPRequest(.get, url, correlationID: "c-1"))
                    #expect(response.body.count <= input.count)
                }
                if cause == .canceled || cause?.isMisconfiguration == true {
                    Issue.record("\(String(decoding: input, as: UTF8.self))")
                }
            }
        }
        await http.shutdown()
    }
}
