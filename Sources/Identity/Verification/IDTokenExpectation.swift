public import Secrets

/// What an ID token must fit to: OpenID Connect Core, section 3.1.3.7.
public struct IDTokenExpectation: Sendable {
    public var clientID: String
    /// Nil: not compared, as for a device grant or a refresh.
    public var nonce: String?
    /// For `at_hash`.
    public var accessToken: Secret?
    /// For `c_hash`.
    public var code: String?
    /// Then `auth_time` must be there and at most this many seconds old.
    public var maxAge: Int64?
    /// Whom a refreshed token must be about.
    public var subject: String?

    public init(
        clientID: String, nonce: String? = nil, accessToken: Secret? = nil, code: String? = nil, maxAge: Int64? = nil,
        subject: String? = nil
    ) {
        self.clientID = clientID
        self.nonce = nonce
        self.accessToken = accessToken
        self.code = code
        self.maxAge = maxAge
        self.subject = subject
    }
}
