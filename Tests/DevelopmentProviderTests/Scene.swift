import Crypto
import DevelopmentProvider
import JWTKit
import Testing
import WebText

/// A provider that runs, a browser, and an app that signs people in.
struct Scene: Sendable {
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    /// Made once, for they are what costs time in a test.
    static let keys = Result { try ProviderSigningKeys() }
    static let redirectURI = "http://127.0.0.1:5555/callback"

    let provider: DevelopmentProvider
    let base: String
    let discovery: JSONValue
    let browser = Browser()
    var clientID = "baton"

    /// Runs a provider with ana and ben, on a free port, for the time of the body.
    static func run(
        _ change: (inout ProviderOptions) -> Void = { _ in },
        clock: @escaping @Sendable () -> Double = { SystemTime.now() }, discovery path: String = "",
        _ body: @escaping @Sendable (Scene) async throws -> Void
    ) async throws {
        var options = ProviderOptions()
        options.accounts = DevelopmentAccount.samples
        options.keys = try keys.get()
        change(&options)
        let provider = try DevelopmentProvider(options, clock: clock)
        try await provider.whileRunning { address in
            let document = try await Browser().get(address.base + path + "/.well-known/openid-configuration").json
            try await body(Scene(provider: provider, base: address.base, discovery: document))
        }
    }

    func endpoint(_ name: String) throws -> String { try #require(discovery[name + "_endpoint"]?.string) }

    var request: [(String, String)] {
        [
            ("client_id", clientID), ("redirect_uri", Self.redirectURI), ("response_type", "code"),
            ("scope", "openid profile email offline_access"), ("state", "the state"), ("nonce", "the nonce"),
            ("code_challenge", Self.base64URL(Array(SHA256.hash(data: Array(Self.verifier.utf8))))),
            ("code_challenge_method", "S256"),
        ]
    }

    /// Opens the authorization endpoint; fields replace those of the usual request.
    func authorize(_ fields: [(String, String)] = [], in browser: Browser? = nil) async throws -> Browser.Page {
        let names = Set(fields.map(\.0))
        return try await (browser ?? self.browser).get(
            endpoint("authorization"), request.filter { !names.contains($0.0) } + fields.filter { !$0.1.isEmpty })
    }

    func logIn(_ page: Browser.Page, _ username: String = "ana") async throws -> Browser.Page {
        try await browser.submit(
            page, to: base, [("username", username), ("password", username), ("action", "sign-in")])
    }

    func redeem(_ page: Browser.Page, _ fields: [(String, String)] = []) async throws -> Browser.Page {
        let code = try #require(page.answer["code"])
        return try await browser.post(
            endpoint("token"),
            [
                ("grant_type", "authorization_code"), ("client_id", clientID), ("code", code),
                ("redirect_uri", Self.redirectURI), ("code_verifier", Self.verifier),
            ] + fields)
    }

    /// The whole way from the page to the tokens.
    func signIn(_ username: String = "ana", _ fields: [(String, String)] = []) async throws -> JSONValue {
        let answer = try await redeem(try await logIn(try await authorize(fields), username))
        #expect(answer.status == 200)
        return answer.json
    }

    func refresh(_ token: String?, _ fields: [(String, String)] = []) async throws -> Browser.Page {
        try await browser.post(
            endpoint("token"),
            [("grant_type", "refresh_token"), ("client_id", clientID), ("refresh_token", try #require(token))] + fields
        )
    }

    /// The claims of a token whose signature the published keys confirm.
    func verified(_ token: String?) async throws -> JSONValue {
        let token = try #require(token)
        let keys = JWTKeyCollection()
        try await keys.add(jwksJSON: try await browser.get(try #require(discovery["jwks_uri"]?.string)).text)
        _ = try await keys.verify(token, as: AnyClaims.self)
        return try #require(Self.claims(token))
    }

    static func claims(_ token: String) -> JSONValue? { part(1, of: token) }
    static func header(_ token: String) -> JSONValue? { part(0, of: token) }

    private static func part(_ index: Int, of token: String) -> JSONValue? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.indices.contains(index) else { return nil }
        return bytes(base64URL: String(parts[index])).flatMap { JSONValue.unbounded($0) }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    static func base64URL(_ bytes: [UInt8]) -> String {
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        return String(
            stride(from: 0, to: bits.count, by: 6).map { start in
                let six = (0..<6).map { start + $0 < bits.count ? bits[start + $0] : 0 }
                return alphabet[six.reduce(0) { $0 * 2 + Int($1) }]
            })
    }

    static func bytes(base64URL text: String) -> [UInt8]? {
        var bits: [UInt8] = []
        for letter in text {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            bits += (0..<6).map { UInt8(value >> (5 - $0) & 1) }
        }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 * 2 + $1 }
        }
    }
}

/// Lets JWTKit check a signature and nothing else.
struct AnyClaims: JWTPayload {
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
