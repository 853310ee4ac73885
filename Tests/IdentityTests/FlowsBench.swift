import Logging
import Secrets
import Synchronization
import WebText

@testable import Identity

/// A client with a provider, a verification and a clock that a test holds in its hands.
struct FlowsBench {
    static let redirectURI = "http://127.0.0.1:8765/auth"

    let provider = FlowsProvider()
    let verification: FlowsVerification
    let clock: FlowsClock
    let client: OpenIDClient

    init(
        clock: FlowsClock = FlowsClock(), time: IdentityClock? = nil, log: Logger? = nil,
        metadata: (inout ProviderMetadata) -> Void = { _ in },
        settings change: (inout ClientSettings) -> Void = { _ in }
    ) {
        verification = FlowsVerification(metadata)
        self.clock = clock
        var settings = ClientSettings.ordinary(
            authority: Authority(kind: .openID, url: FlowsProvider.origin), clientID: "baton device")
        change(&settings)
        client = OpenIDClient(
            settings: settings, http: provider, clock: time ?? clock.identityClock,
            log: log ?? Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), provider: verification)
    }

    static func request(_ change: (inout AuthorizationRequest) -> Void = { _ in }) -> AuthorizationRequest {
        var request = AuthorizationRequest(redirectURI: redirectURI, correlationID: "c0ffee")
        change(&request)
        return request
    }

    /// Answers each code with tokens for that worker.
    func answerCodes(subject: String = "ana", refresh: String? = "refresh-1", expires: Int64? = 3600) {
        let nonces = nonces
        provider.answer("/token") { request in
            .tokens(
                access: "access-1", refresh: refresh,
                id: "\(subject)/\(nonces.text)/\(self.clock.now)/first", expires: expires)
        }
    }

    /// The nonce of the last sign-in that was begun through `begin`.
    let nonces = SharedText()

    func begin(_ request: AuthorizationRequest = request()) async throws -> PendingAuthorization {
        let pending = try await client.begin(request)
        nonces.set(Self.query(pending.url)["nonce"] ?? "")
        return pending
    }

    /// A whole sign-in.
    func signIn(_ request: AuthorizationRequest = request()) async throws -> SignedIn {
        let pending = try await begin(request)
        _ = await client.deliver("\(request.redirectURI)?code=code-1&state=\(pending.state)")
        return try await client.finish(pending)
    }

    /// What a provider answers when the log-out is over: back to our address, with our state.
    static let loggedOut: FlowsProvider.Answer = { request in
        let fields = query(request.url)
        let target = "\(fields["post_logout_redirect_uri"] ?? "")?state=\(fields["state"] ?? "")"
        return HTTPResponse(status: 302, headers: [("Location", target)])
    }

    static func query(_ url: String) -> [String: String] {
        let fields = FormText.decoded(url.drop { $0 != "?" }.dropFirst()) ?? []
        return Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

/// A text that several tasks see.
final class SharedText: Sendable {
    private let state = Mutex("")

    var text: String { state.withLock { $0 } }
    func set(_ new: String) { state.withLock { $0 = new } }
}

/// Who the cause of an error is, for `#expect`.
func cause(_ body: () async throws -> Void) async -> IdentityError.Cause? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? IdentityError)?.cause
    }
}
