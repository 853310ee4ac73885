public import Secrets

/// What a token endpoint gave: RFC 6749, section 5.1, and OpenID Connect Core, section 3.1.3.3.
public struct TokenAnswer: Sendable {
    /// Nil: the scopes were about the sign-in alone, for which Azure AD B2C gives an ID token only.
    public var accessToken: Secret?
    /// `Bearer`, as a rule.
    public var tokenType: String
    /// Seconds from the answer; nil: the provider does not say.
    public var expiresIn: Int64?
    public var refreshToken: Secret?
    public var idToken: Secret?
    /// What was granted; nil: exactly what was asked for.
    public var scopes: [String]?

    /// `client_info`: whose account it is in their own tenant; Microsoft's.
    public var clientInfo: ClientInfo?

    public init(accessToken: Secret?, tokenType: String = "Bearer") {
        self.accessToken = accessToken
        self.tokenType = tokenType
    }
}
