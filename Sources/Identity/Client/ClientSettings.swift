public import Secrets

/// What the administrator decided about the provider.
public struct ClientSettings: Sendable {
    /// How the client proves to the provider that it is itself.
    public enum Credential: Sendable {
        /// A public client (RFC 6749, section 2.1); PKCE protects the code.
        case none
        /// `client_secret_basic`, or `client_secret_post` where the provider wants it.
        case secret(Secret)
        /// `private_key_jwt` (RFC 7523): a PEM file's bytes with a private key and its certificate.
        case certificate(Secret)
    }

    public var authority: Authority
    public var clientID: String
    public var credential: Credential = .none
    /// Asked for at sign-in; `openid` is always among them. Of the default only what the provider offers.
    public var scopes: [String] { didSet { hasDefaultScopes = false } }
    private(set) var hasDefaultScopes: Bool
    /// Tenant ids (or domains) whose accounts may hold the device. Empty: the authority's own rule.
    public var allowedTenants: [String] = []
    /// The authority takes accounts of tenants that the settings do not name.
    public var allowsAnyTenant: Bool
    /// Whether Microsoft's personal accounts may hold the device.
    public var allowsPersonalAccounts: Bool
    /// Whether guests of an Entra ID tenant may hold the device.
    public var allowsGuests: Bool
    /// Where the provider's log-out page may lead; must be registered there.
    public var postLogoutRedirectURI: String?
    /// How long one request may take.
    public var requestTimeout: Duration
    /// A PEM file with the only CAs that are trusted; nil: the system's.
    public var caFile: String?
    /// `http://host:port`; nil: no proxy.
    public var proxy: String?

    /// - Parameter hasDefaultScopes: Whether the administrator wrote no scopes down.
    public init(
        authority: Authority, clientID: String, scopes: [String], hasDefaultScopes: Bool, allowsAnyTenant: Bool,
        allowsPersonalAccounts: Bool, allowsGuests: Bool, requestTimeout: Duration
    ) {
        self.authority = authority
        self.clientID = clientID
        self.scopes = scopes
        self.hasDefaultScopes = hasDefaultScopes
        self.allowsAnyTenant = allowsAnyTenant
        self.allowsPersonalAccounts = allowsPersonalAccounts
        self.allowsGuests = allowsGuests
        self.requestTimeout = requestTimeout
    }
}
