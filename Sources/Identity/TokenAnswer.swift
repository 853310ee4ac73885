public import Secrets

/// What a token endpoint gave: RFC 6749, section 5.1, and OpenID Connect Core, section 3.1.3.3.
public struct TokenAnswer: Sendable {
    public var accessToken: Secret
    /// `Bearer`, as a rule.
    public var tokenType: String
    /// Seconds from the answer; nil: the provider does not say.
    public var expiresIn: Int64?
    public var refreshToken: Secret?
    public var idToken: Secret?
    /// What was granted; nil: exactly what was asked for.
    public var scopes: [String]?

    public init(accessToken: Secret, tokenType: String = "Bearer") {
        self.accessToken = accessToken
        self.tokenType = tokenType
    }
}
