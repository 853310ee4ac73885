/// Whose addresses, issuers, claims and errors the provider plays.
public enum ProviderKind: String, CaseIterable, Sendable {
    /// Plain OpenID Connect: the issuer is the address.
    case openid
    /// Microsoft Entra ID: tenants in the path, `common`, `organizations` and `consumers`.
    case entra
    /// Azure AD B2C: tenant and policy in the path.
    case b2c
    /// Microsoft Entra External ID (CIAM): one tenant, customers as accounts.
    case external
    /// Active Directory Federation Services.
    case adfs

    /// The kinds whose errors carry AADSTS numbers and correlation ids.
    var speaksMicrosoft: Bool { self == .entra || self == .external || self == .b2c }

    /// The kinds that read tenants from the path.
    var hasTenants: Bool { self == .entra || self == .external || self == .b2c }
}
