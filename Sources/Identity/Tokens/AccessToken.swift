public import Secrets

/// A token for an app.
public struct AccessToken: Sendable {
    /// Goes into an `Authorization: Bearer` header.
    public let token: Secret
    /// Unix time in seconds.
    public let expires: Int64
    public let grantedScopes: [String]
    /// Asked for, but not granted.
    public let declinedScopes: [String]
    /// Of the request that brought the token.
    public let correlationID: String
}
