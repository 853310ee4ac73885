/// Which provider, and by which rules it is judged: the kinds that MSAL knows.
public struct Authority: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Any OpenID Connect provider: the issuer is the authority, exactly.
        case openID
        /// Microsoft Entra ID, in one of its clouds.
        case entra(EntraAudience)
        /// Azure AD B2C: a tenant and a policy.
        case b2c
        /// Microsoft Entra External ID for customers.
        case external
        /// Active Directory Federation Services.
        case adfs
    }

    /// Whose accounts an Entra ID authority takes.
    public enum EntraAudience: Hashable, Sendable {
        case tenant(String)
        /// Work, school and personal accounts of any tenant.
        case common
        /// Work and school accounts of any tenant.
        case organizations
        /// Personal accounts.
        case consumers
    }

    public var kind: Kind
    /// As the settings say it, without a slash and without `/.well-known/openid-configuration` at the end.
    public var url: String

    public init(kind: Kind, url: String) {
        self.kind = kind
        self.url = url
    }
}
