import Testing
import WebText

@testable import Identity

@Suite("Discovery documents")
struct ProviderMetadataTests {
    static let good: [String: JSONValue] = [
        "issuer": "https://id.example.com", "authorization_endpoint": "https://id.example.com/authorize?x=y",
        "token_endpoint": "https://id.example.com/token", "jwks_uri": "https://keys.example.net/keys",
    ]

    private func read(
        _ changes: [String: JSONValue] = [:], authority: String = "https://id.example.com"
    ) throws -> ProviderMetadata {
        let document = Self.good.merging(changes) { $1 }
        return try ProviderMetadata(JSONValue.object(document).bytes, authority: try Authority(authority))
    }

    @Test func `what a document leaves out is not offered`() throws {
        var expected = ProviderMetadata(
            issuer: "https://id.example.com", authorizationEndpoint: "https://id.example.com/authorize?x=y",
            tokenEndpoint: "https://id.example.com/token", jwksURI: "https://keys.example.net/keys")
        #expect(try read() == expected)
        expected.userinfoEndpoint = "https://id.example.com/u"
        expected.endSessionEndpoint = "https://id.example.com/e"
        expected.revocationEndpoint = "https://id.example.com/r"
        expected.deviceAuthorizationEndpoint = "https://id.example.com/d"
        expected.pushedAuthorizationRequestEndpoint = "https://id.example.com/p"
        expected.requiresPushedAuthorizationRequests = true
        expected.sendsIssuerInAnswer = true
        expected.scopesSupported = ["openid"]
        expected.promptValuesSupported = ["login"]
        expected.idTokenAlgorithms = ["RS256"]
        expected.tokenEndpointAuthMethods = ["private_key_jwt"]
        let all: [String: JSONValue] = [
            "userinfo_endpoint": "https://id.example.com/u", "end_session_endpoint": "https://id.example.com/e",
            "revocation_endpoint": "https://id.example.com/r",
            "device_authorization_endpoint": "https://id.example.com/d",
            "pushed_authorization_request_endpoint": "https://id.example.com/p",
            "require_pushed_authorization_requests": true, "authorization_response_iss_parameter_supported": true,
            "scopes_supported": ["openid", 5, ""], "prompt_values_supported": ["login"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["private_key_jwt"],
        ]
        #expect(try read(all) == expected)
    }

    @Test(arguments: ["userinfo_endpoint", "revocation_endpoint", "end_session_endpoint"])
    func `null and nothing are the same`(name: String) throws {
        #expect(try read([name: nil]) == read())
        #expect(try read([name: ""]) == read())
    }

    static let endpoints = [
        "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "end_session_endpoint",
        "revocation_endpoint", "device_authorization_endpoint", "pushed_authorization_request_endpoint",
    ]

    @Test(arguments: endpoints)
    func `an address that is not safe is refused wherever it stands`(name: String) {
        let wrong: [JSONValue] = [
            5, ["https://id.example.com"], "x", "http://id.example.com/x", "http://127.0.0.1/x", "javascript:alert(1)",
            "https://user@id.example.com/x", "https://id.example.com/x#y", "https://id.example.com/x y",
            "https://id.example.com/\n", .string("https://id.example.com/" + String(repeating: "x", count: 3000)),
        ]
        for value in wrong {
            let cause = #expect(throws: IdentityError.self) { _ = try read([name: value]) }?.cause
            #expect(cause?.isInvalidAnswer == true && cause?.sentence.contains(name) == true)
        }
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri", "issuer"])
    func `what nobody can do without must be there`(name: String) {
        let cause = #expect(throws: IdentityError.self) { _ = try read([name: nil]) }?.cause
        #expect(cause == .invalidAnswer(what: "the discovery document has no \(name)"))
    }

    @Test func `another issuer is not trusted`() {
        let cause = #expect(throws: IdentityError.self) { _ = try read(["issuer": "https://other.example"]) }?.cause
        #expect(cause == .notTrusted(what: "the discovery document names another issuer"))
    }

    @Test func `loopback without encryption is for a provider on loopback`() throws {
        let local: [String: JSONValue] = [
            "issuer": "http://127.0.0.1:9000", "authorization_endpoint": "http://localhost:9000/a",
            "token_endpoint": "http://[::1]:9000/t", "jwks_uri": "http://127.0.0.1:9000/k",
            "baton_development_provider": true,
        ]
        #expect(try read(local, authority: "http://127.0.0.1:9000").isDevelopmentProvider)
        #expect(throws: IdentityError.self) { _ = try read(["token_endpoint": "http://127.0.0.1:9000/t"]) }
        #expect(throws: IdentityError.self) {
            _ = try read(
                local.merging(["token_endpoint": "http://id.example.com/t"]) { $1 }, authority: "http://127.0.0.1:9000")
        }
        #expect(try read(["baton_development_provider": true]).isDevelopmentProvider == false)
    }

    @Test(arguments: ["", "[]", "4", "null", "{", "\u{0}", "{\"issuer\":", String(repeating: "[", count: 100_000)])
    func `what is no JSON object is refused`(text: String) throws {
        let authority = try Authority("https://id.example.com")
        let cause = #expect(throws: IdentityError.self) {
            _ = try ProviderMetadata(Array(text.utf8), authority: authority)
        }?.cause
        #expect(cause?.isInvalidAnswer == true)
    }
}
