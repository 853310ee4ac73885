/// Who signed in, as a verified ID token (or userinfo over a verified connection) says it.
///
/// Issuer and subject are the identity (OpenID Connect Core, section 5.7); everything else is for people and for mapping.
public struct WorkerIdentity: Hashable, Sendable {
    public var issuer: String
    public var subject: String
    public var username = ""
    public var name = ""
    public var email = ""
    public var locale = ""
    /// Entra ID's `tid`, else empty.
    public var tenant = ""
    /// Entra ID's `oid`, else empty.
    public var objectID = ""
    /// A guest's own tenant and their object id there, for all others the same as above; empty: the provider does not say.
    public var homeTenant = ""
    public var homeObjectID = ""
    /// The host that the account belongs to, as in MSAL.
    public var environment = ""
    /// The provider's session, for front- and back-channel log-out; empty where it says none.
    public var sessionID = ""
    /// When the worker last showed who they are: Unix time in seconds.
    public var authenticationTime: Int64?

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// As in MSAL: `uid.utid` for Entra ID, or where it does not say those `oid.tid`; the subject elsewhere.
    public var homeAccountID: String {
        if !homeObjectID.isEmpty, !homeTenant.isEmpty { return "\(homeObjectID).\(homeTenant)" }
        return objectID.isEmpty || tenant.isEmpty ? subject : "\(objectID).\(tenant)"
    }

    mutating func take(_ info: ClientInfo?) {
        guard let info else { return }
        homeTenant = info.tenant
        homeObjectID = info.objectID
    }
}
