public import SystemPackage
public import Vocabulary

/// The OpenID Connect provider at which workers sign in: `identity: {kind: oidc}`.
public struct OpenIDSettings: Sendable, Hashable {
    /// How the client proves who it is. The secret itself stays in its file until it is needed.
    public enum CredentialSource: Sendable, Hashable {
        /// A public client.
        case none
        case secret(CredentialFile)
        /// A PEM file with a private key and its certificate.
        case certificate(CredentialFile)
    }

    /// What happens if the provider lets a worker in without asking who they are, or does not say whether it asked.
    public enum WithoutFreshLogin: String, Sendable, CaseIterable {
        /// It is asked once more, with `max_age=1`.
        case ask
        /// The sign-in is refused.
        case refuse
    }

    /// As written: `https`, or `http` on a loopback host; without query and fragment.
    public var authority: String
    public var authorityType: AuthorityType?
    public var clientID: String
    public var credential: CredentialSource = .none
    /// Each once, `openid` among them.
    public var scopes = ["openid", "profile", "offline_access"] { didSet { hasDefaultScopes = false } }
    /// Whether the settings name none.
    public private(set) var hasDefaultScopes = true
    /// Tenant ids or domains; empty: the authority's own rule.
    public var allowedTenants: [String] = []
    public var allowsAnyTenant = false
    public var allowsPersonalAccounts = false
    public var allowsGuests = true
    /// Nil where none was given and the port is not fixed.
    public var postLogoutRedirectURI: String?
    /// 0: any free one.
    public var loopbackPort: UInt16 = 0
    /// How long a session may go on when the provider cannot be reached; nil: as long as it takes.
    public var offline: Duration? = .seconds(8 * 3600)
    public var requestTimeout: Duration = .seconds(10)
    /// How long a sign-out waits for the provider at most.
    public var signOutWait: Duration = .seconds(2)
    /// Only where the browser may have another worker's session.
    public var withoutFreshLogin = WithoutFreshLogin.ask
    /// A PEM file with the only CAs that are trusted; nil: the system's.
    public var caFile: FilePath?
    /// `http://host:port`.
    public var proxy: String?

    public init(authority: String, clientID: String) {
        self.authority = authority
        self.clientID = clientID
    }
}
