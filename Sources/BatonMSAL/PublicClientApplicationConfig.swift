/// What an app configures; the application makes a copy of it.
public final class PublicClientApplicationConfig {
    /// Whether the app can do with one account at a time, as it must on a shared device.
    public enum AccountMode: Hashable, Sendable, CaseIterable { case single, multiple }

    /// Kept for the app: at the provider, the device has one client id for all its apps.
    public let clientId: String
    /// Where the app takes the provider's answers; nil: `msauth.<app id>://auth`.
    public var redirectUri: String?
    /// Kept for the app: the provider is the device's.
    public var authority: ClientAuthority?
    public var accountMode = AccountMode.single

    public init(clientId: String, redirectUri: String? = nil, authority: ClientAuthority? = nil) {
        self.clientId = clientId
        self.redirectUri = redirectUri
        self.authority = authority
    }
}
