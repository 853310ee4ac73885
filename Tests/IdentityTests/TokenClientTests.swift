import Crypto
import FoundationEssentials
import JWTKit
import Secrets
import Testing
import WebText

@testable import Identity

@Suite(.timeLimit(.minutes(1))) struct TokenClientTests {
    private func exchange(
        _ credential: ClientSettings.Credential, methods: [String] = []
    ) async throws -> HTTPRequest {
        let bench = FlowsBench(
            metadata: { $0.tokenEndpointAuthMethods = methods }, settings: { $0.credential = credential })
        bench.answerCodes()
        _ = try await bench.signIn()
        return try #require(bench.provider.requests("/token").first)
    }

    private func authorization(_ request: HTTPRequest) -> String? {
        request.headers.first { $0.name == "Authorization" }?.value
    }

    @Test func `A public client only says its name`() async throws {
        let request = try await exchange(.none)
        #expect(request["client_id"] == "baton device")
        #expect(request["client_secret"] == nil)
        #expect(authorization(request) == nil)
    }

    @Test(arguments: [[], ["client_secret_basic"], ["client_secret_post", "client_secret_basic"], ["private_key_jwt"]])
    func `A secret goes into the header, escaped`(methods: [String]) async throws {
        let request = try await exchange(.secret(Secret(text: "p:ä +%")), methods: methods)
        let value = try #require(authorization(request))
        let pair = try #require(Data(base64Encoded: String(value.dropFirst("Basic ".count))))
        #expect(String(decoding: pair, as: UTF8.self) == "baton%20device:p%3A%C3%A4%20%2B%25")
        #expect(request["client_secret"] == nil)
    }

    @Test func `A secret goes into the form where the provider knows nothing else`() async throws {
        let request = try await exchange(.secret(Secret(text: "p:ä")), methods: ["client_secret_post", "none"])
        #expect(request["client_secret"] == "p:ä")
        #expect(request["client_id"] == "baton device")
        #expect(authorization(request) == nil)
    }

    private struct Claims: JWTPayload {
        var iss, sub, aud, jti: String
        var iat, nbf, exp: Int64
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    @Test func `A certificate signs a statement that names it`() async throws {
        let file = Secret(text: TokenClientKey.pem)
        let now: Int64 = 1_800_000_000
        let request = try await exchange(.certificate(file))
        #expect(request["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        #expect(request["client_id"] == "baton device")
        let assertion = try #require(request["client_assertion"])
        let keys = await JWTKeyCollection().add(ecdsa: try ES256PublicKey(certificate: TokenClientKey.certificate))
        let claims = try await keys.verify(assertion, as: Claims.self)
        #expect(claims.iss == "baton device")
        #expect(claims.sub == "baton device")
        #expect(claims.aud == "\(FlowsProvider.origin)/token")
        #expect(claims.iat == now)
        #expect(claims.exp == now + 300)
        let part = String(assertion.prefix { $0 != "." }).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - part.count % 4) % 4)
        let header = JSONValue(try #require(Data(base64Encoded: part + padding)))
        #expect(header?["alg"]?.string == "ES256")
        #expect(header?["x5t"]?.string == TokenClientKey.thumbprint)
        #expect(header?["x5t#S256"]?.string == TokenClientKey.thumbprintS256)
        let second = try await ClientAssertion(file).text(clientID: "c", audience: "a", now: now)
        #expect(try await keys.verify(second, as: Claims.self).jti != claims.jti)
    }

    @Test func `A certificate file that cannot be used is a fault of the settings`() async throws {
        let pem = TokenClientKey.pem
        for file in [
            "", "x", TokenClientKey.certificate, pem.replacing("PRIVATE", with: "PUBLIC"),
            pem.replacing("MIG", with: "AAA"),
        ] {
            let bench = FlowsBench(settings: { $0.credential = .certificate(Secret(text: file)) })
            bench.answerCodes()
            let found = await cause { _ = try await bench.signIn() }
            guard case .misconfigured = found else {
                Issue.record("\(String(describing: found))")
                continue
            }
        }
    }
}
