public import Baton
public import FoundationEssentials

/// A token for an app. It holds secrets: it has no description that shows them, and must not be written down.
public struct AuthenticationResult: Sendable {
    /// What batond gave.
    public let token: TokenResult

    init(_ token: TokenResult) { self.token = token }

    public var accessToken: String { token.accessToken }
    public var expiresOn: Date? { Date(timeIntervalSince1970: Double(token.expires)) }
    /// Never: a token that has expired is not given.
    public var extendedLifeTimeToken: Bool { false }
    public var idToken: String? { token.idToken.isEmpty ? nil : token.idToken }
    public var scopes: [String] { token.scopes }
    public var declinedScopes: [String] { token.declinedScopes }
    public var account: ClientAccount { ClientAccount(token.account, claims: token.claims) }
    public var tenantProfile: TenantProfile { TenantProfile(account: token.account, claimsText: token.claims) }
    /// Of the account; nil where it is none that can be written as an address.
    public var authority: ClientAuthority? { ClientAuthority(trusted: token.authority) }
    /// Nil where the one that was asked with is no UUID.
    public var correlationId: UUID? { UUID(uuidString: token.correlationID) }
    /// For the header `Authorization`.
    public var authorizationHeader: String { "\(authenticationScheme) \(token.accessToken)" }
    public var authenticationScheme: String { token.tokenType.isEmpty ? "Bearer" : token.tokenType }
}

extension AuthenticationResult: CustomStringConvertible, CustomReflectable {
    public var description: String { token.description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
