import Secrets
import Synchronization
import WebText

@testable import Identity

/// Stands for discovery and the verifier. An ID token here is `subject/nonce/auth_time/text`.
final class FlowsVerification: TokenVerification {
    struct State {
        var metadata = ProviderMetadata(
            issuer: FlowsProvider.origin, authorizationEndpoint: "\(FlowsProvider.origin)/authorize",
            tokenEndpoint: "\(FlowsProvider.origin)/token", jwksURI: "\(FlowsProvider.origin)/keys")
        var metadataFault: IdentityError?
        var verificationFault: IdentityError?
        var accountFault: IdentityError?
        var expectations: [IDTokenExpectation] = []
        /// The `iat` of ID tokens; nil: they have none.
        var issued: Int64?
    }

    private let state: Mutex<State>

    init(_ change: (inout ProviderMetadata) -> Void = { _ in }) {
        var state = State()
        change(&state.metadata)
        self.state = Mutex(state)
    }

    var expectations: [IDTokenExpectation] { state.withLock { $0.expectations } }

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func metadata(forceRefresh: Bool) async throws(IdentityError) -> ProviderMetadata {
        let state = state.withLock { $0 }
        if let fault = state.metadataFault { throw fault }
        return state.metadata
    }

    func verify(_ idToken: Secret, expecting: IDTokenExpectation) async throws(IdentityError) -> VerifiedIDToken {
        let (fault, issued) = state.withLock { state in
            state.expectations.append(expecting)
            return (state.verificationFault, state.issued)
        }
        if let fault { throw fault }
        let parts = idToken.text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4 else { throw IdentityError(.invalidAnswer(what: "id_token")) }
        if let nonce = expecting.nonce, nonce != parts[1] { throw IdentityError(.notTrusted(what: "nonce")) }
        if let subject = expecting.subject, subject != parts[0] { throw IdentityError(.notTrusted(what: "sub")) }
        var identity = WorkerIdentity(issuer: FlowsProvider.origin, subject: parts[0])
        identity.authenticationTime = Int64(parts[2])
        identity.sessionID = "session-of-\(parts[0])"
        var claims: [String: JSONValue] = ["sub": .string(parts[0])]
        claims["iat"] = issued.map { .integer($0) }
        return VerifiedIDToken(claims: claims, identity: identity)
    }

    func userinfo(_ accessToken: Secret, correlationID: String) async throws(IdentityError) -> VerifiedIDToken {
        VerifiedIDToken(
            claims: ["sub": .string("ana"), "from": .string("userinfo")],
            identity: WorkerIdentity(issuer: FlowsProvider.origin, subject: "ana"))
    }

    func verifyLogoutToken(_ token: String) async throws(IdentityError) -> LogoutNotice {
        throw IdentityError(.notTrusted(what: "logout token"))
    }

    func check(_ worker: VerifiedIDToken) async throws(IdentityError) {
        if let fault = state.withLock({ $0.accountFault }) { throw fault }
    }
}
