public import Logging
import Secrets

/// The device as a client of an OpenID Connect provider: signs workers in, each into a `WorkerSession`.
public actor OpenIDClient {
    /// Sign-ins that may wait at once; one more ends the oldest.
    static let mostPending = 64

    public nonisolated let settings: ClientSettings
    nonisolated let party: RelyingParty
    /// By `state`.
    var flights: [String: AuthorizationFlight] = [:]

    /// - Parameter http: The way to the provider, usually an `HTTPSExchange`; it is not shut down here.
    public init(settings: ClientSettings, http: any HTTPExchange, clock: IdentityClock, log: Logger) {
        let http = PatientExchange(http, clock: clock)
        let verifier = ProviderVerifier(settings: settings, http: http, clock: clock)
        self.init(settings: settings, http: http, clock: clock, log: log, provider: verifier)
    }

    init(
        settings: ClientSettings, http: any HTTPExchange, clock: IdentityClock, log: Logger,
        provider: any TokenVerification
    ) {
        self.settings = settings
        party = RelyingParty(settings: settings, http: http, clock: clock, log: log, provider: provider)
    }

    /// Verifies a log-out token that was posted (OpenID Connect Back-Channel Logout 1.0); each works once.
    public nonisolated func verifyLogoutToken(_ token: String) async throws(IdentityError) -> LogoutNotice {
        try await party.provider.verifyLogoutToken(token)
    }

    /// What the provider says of itself; cached.
    public nonisolated func metadata() async throws(IdentityError) -> ProviderMetadata { try await party.metadata() }

    /// Whether the provider answers at all, right or wrong.
    public func isReachable() async -> Bool {
        do throws(IdentityError) {
            _ = try await party.metadata(forceRefresh: true)
            return true
        } catch {
            return !error.isUnreachable && error.cause != .canceled
        }
    }
}
