import Glibc
import Identity
import Logging
import ProviderTesting
import Secrets
import Testing

extension IdentityClock {
    /// The machine's own.
    static let real = IdentityClock(
        seconds: { Int64(Glibc.time(nil)) }, sleep: { try await Task.sleep(for: $0) })
}

/// A client of a real provider, with its own way there.
struct Client {
    let settings: ClientSettings
    let http: HTTPSExchange
    let openID: OpenIDClient

    /// Starts a sign-in, goes through the provider's pages, brings the answer and ends it.
    func signIn(
        _ account: ProviderAccount = Glewlwyd.ana, with browser: any ProviderBrowser,
        redirectURI: String = Glewlwyd.redirectURI, _ change: (inout AuthorizationRequest) -> Void = { _ in }
    ) async throws -> SignedIn {
        var request = AuthorizationRequest(redirectURI: redirectURI)
        change(&request)
        let pending = try await openID.begin(request)
        let redirect = try await browser.signIn(at: pending.url, as: account)
        #expect(await openID.deliver(redirect) == .accepted)
        return try await openID.finish(pending)
    }
}

/// Runs `body` with a client of this Glewlwyd; its connections are closed afterwards.
func withClient<Result>(
    of glewlwyd: Glewlwyd, id: String = Glewlwyd.publicClient, _ body: (Client) async throws -> Result
) async throws -> Result {
    var settings = ClientSettings(
        authority: try Authority(glewlwyd.issuer), clientID: id, scopes: ["openid", "profile", "offline_access"],
        hasDefaultScopes: true, allowsAnyTenant: false, allowsPersonalAccounts: false, allowsGuests: true,
        requestTimeout: .seconds(10))
    if id == Glewlwyd.confidentialClient { settings.credential = .secret(Secret(text: Glewlwyd.clientSecret)) }
    settings.caFile = glewlwyd.certificateAuthority?.caFile
    settings.postLogoutRedirectURI = Glewlwyd.postLogoutRedirectURI
    let http = try HTTPSExchange(requestTimeout: .seconds(10), caFile: settings.caFile, proxy: nil)
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let client = Client(
        settings: settings, http: http,
        openID: OpenIDClient(settings: settings, http: http, clock: .real, log: log))
    do {
        let result = try await body(client)
        await http.shutdown()
        return result
    } catch {
        await http.shutdown()
        throw error
    }
}

/// What an operation of `Identity` failed with; nil when it did not.
func cause<Value>(of operation: () async throws(IdentityError) -> Value) async -> IdentityError.Cause? {
    do throws(IdentityError) {
        _ = try await operation()
        return nil
    } catch {
        return error.cause
    }
}
