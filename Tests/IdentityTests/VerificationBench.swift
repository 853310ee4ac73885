import Secrets
import Synchronization
import Vocabulary
import WebText

@testable import Identity

/// A provider on loopback whose documents a test may change, and everything that verifies what it signs.
struct VerificationBench: Sendable {
    /// What the provider answers at present.
    final class Script: Sendable {
        struct State: Sendable {
            var discovery: [String: JSONValue] = [:]
            var keys: [UInt8] = []
            var userinfo = HTTPResponse(status: 404)
            var headers: [(name: String, value: String)] = []
            /// Instead of every answer.
            var fault: HTTPResponse?
        }

        private let state = Mutex(State())

        func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

        func answer(_ request: LoopbackServer.Request) -> HTTPResponse {
            state.withLock { state in
                if let fault = state.fault { return fault }
                if request.target.hasSuffix("/.well-known/openid-configuration") {
                    return HTTPResponse(
                        status: 200, headers: state.headers, body: JSONValue.object(state.discovery).bytes)
                }
                switch request.target {
                case "/keys": return HTTPResponse(status: 200, headers: state.headers, body: state.keys)
                case "/userinfo": return state.userinfo
                default: return HTTPResponse(status: 404)
                }
            }
        }
    }

    static let clientID = "baton-terminal"
    static let tenant = "5b7a2c31-9d0e-4f6b-8a1c-2e3d4f5a6b7c"

    let server: LoopbackServer
    let script: Script
    let clock: SettableClock
    let http: HTTPSExchange
    let maker: TokenMaker
    let authority: Authority
    let verifier: ProviderVerifier
    let issuer: String

    /// - Parameters:
    ///   - path: The authority's path on this host.
    ///   - issuer: What the discovery document says behind the host.
    static func run<Value: Sendable>(
        type: AuthorityType = .openid, path: String = "", issuer: String = "", maker: TokenMaker? = nil,
        _ body: (VerificationBench) async throws -> Value
    ) async throws -> Value {
        let script = Script()
        let maker = if let maker { maker } else { try await TokenMaker.elliptic() }
        return try await LoopbackServer.run(answer: { script.answer($0) }) { server in
            let authority = try Authority(server.url + path, type: type)
            let clock = SettableClock()
            let http = try HTTPSExchange(requestTimeout: .seconds(5), caFile: nil, proxy: nil)
            script.change { state in
                state.keys = TokenMaker.document([maker])
                state.discovery = [
                    "issuer": .string(server.url + issuer),
                    "authorization_endpoint": .string(server.url + "/authorize"),
                    "token_endpoint": .string(server.url + "/token"), "jwks_uri": .string(server.url + "/keys"),
                    "userinfo_endpoint": .string(server.url + "/userinfo"),
                ]
            }
            var settings = ClientSettings.ordinary(authority: authority, clientID: clientID)
            settings.allowedTenants = []
            let bench = VerificationBench(
                server: server, script: script, clock: clock, http: http, maker: maker, authority: authority,
                verifier: ProviderVerifier(settings: settings, http: http, clock: clock.identityClock),
                issuer: server.url + issuer)
            do {
                let value = try await body(bench)
                await http.shutdown()
                return value
            } catch {
                await http.shutdown()
                throw error
            }
        }
    }

    /// The claims of a good ID token.
    var claims: [String: JSONValue] {
        [
            "iss": .string(issuer), "sub": "worker-1", "aud": .string(Self.clientID),
            "exp": .integer(SettableClock.start + 600), "iat": .integer(SettableClock.start), "nonce": "n-1",
            "preferred_username": "ana", "name": "Ana Horvat",
        ]
    }

    /// The claims of a good logout token.
    var logoutClaims: [String: JSONValue] {
        [
            "iss": .string(issuer), "sub": "worker-1", "aud": .string(Self.clientID), "sid": "session-1",
            "iat": .integer(SettableClock.start), "jti": "id-1",
            "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
        ]
    }

    var keyRequests: Int { server.requests.count { $0.target == "/keys" } }
    var discoveryRequests: Int { server.requests.count { $0.target.hasSuffix("openid-configuration") } }

    var expectation: IDTokenExpectation { IDTokenExpectation(clientID: Self.clientID, nonce: "n-1") }

    /// Signs the good claims with these changes and verifies the token.
    func verify(
        _ changes: [String: JSONValue] = [:], header: [String: JSONValue] = [:],
        expecting: IDTokenExpectation? = nil
    ) async throws(IdentityError) -> VerifiedIDToken {
        let token = try? maker.token(claims.merging(changes) { $1 }, header: header)
        return try await verifier.verify(Secret(text: token ?? ""), expecting: expecting ?? expectation)
    }

    func verifyLogout(
        _ changes: [String: JSONValue] = [:], header: [String: JSONValue] = [:]
    ) async throws(IdentityError) -> LogoutNotice {
        let token = try? maker.token(logoutClaims.merging(changes) { $1 }, header: header)
        return try await verifier.verifyLogoutToken(token ?? "")
    }
}

/// Why something was refused; nil: it was not.
func refusal<Value>(_ body: () async throws(IdentityError) -> Value) async -> IdentityError.Cause? {
    do throws(IdentityError) {
        _ = try await body()
        return nil
    } catch {
        return error.cause
    }
}

extension IdentityError.Cause {
    var isDistrust: Bool { if case .notTrusted = self { true } else { false } }
    var isInvalidAnswer: Bool { if case .invalidAnswer = self { true } else { false } }
    var isMisconfiguration: Bool { if case .misconfigured = self { true } else { false } }
    var isRefusedAccount: Bool { if case .accountNotAllowed = self { true } else { false } }
    /// The sentence of a refusal.
    var sentence: String {
        switch self {
        case .notTrusted(let what), .invalidAnswer(let what), .accountNotAllowed(let what), .unsupported(let what),
            .misconfigured(let what):
            what
        default: "\(self)"
        }
    }
}
