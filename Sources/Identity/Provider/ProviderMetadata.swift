/// What a provider says of itself: OpenID Connect Discovery 1.0, section 3, and RFC 8414.
///
/// What is absent is not offered; no address is ever guessed.
public struct ProviderMetadata: Hashable, Sendable {
    /// As the document says it; for Entra ID's multi-tenant authorities it holds `{tenantid}`.
    public var issuer: String
    public var authorizationEndpoint: String
    public var tokenEndpoint: String
    public var jwksURI: String
    public var userinfoEndpoint: String?
    public var endSessionEndpoint: String?
    public var revocationEndpoint: String?
    public var deviceAuthorizationEndpoint: String?
    public var pushedAuthorizationRequestEndpoint: String?
    public var requiresPushedAuthorizationRequests = false
    /// RFC 9207: an answer without `iss` is then refused.
    public var sendsIssuerInAnswer = false
    /// Empty: the document does not say, which some do although they support them.
    public var scopesSupported: [String] = []
    public var promptValuesSupported: [String] = []
    public var idTokenAlgorithms: [String] = []
    /// `token_endpoint_auth_methods_supported`; empty: `client_secret_basic`, as the standard says.
    public var tokenEndpointAuthMethods: [String] = []
    /// Set by Baton's own development provider only.
    public var isDevelopmentProvider = false

    public init(issuer: String, authorizationEndpoint: String, tokenEndpoint: String, jwksURI: String) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.jwksURI = jwksURI
    }
}
