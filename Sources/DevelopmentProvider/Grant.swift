/// Who let which client do what: what codes and tokens stand for.
struct Grant: Sendable {
    var clientID: String
    var username: String
    var scopes: [String]
    /// The provider's session behind it.
    var sessionID: String
    /// When the password was given, in seconds since 1970.
    var authTime: Double
    var nonce: String?
    var route: Route
    /// Every token of one sign-in; used to end them together.
    var family: String
    /// The page was asked for with the claims that `claims-on-refresh` demands.
    var meetsClaims = false
}

/// An authorization code, kept after its use so that a second use is noticed (RFC 6749, section 4.1.2).
struct IssuedCode: Sendable {
    var grant: Grant
    var redirectURI: String
    var challenge: String
    var wantsClientInfo: Bool
    var isUsed = false
}

/// A refresh token, kept after its replacement so that a second use is noticed (RFC 9700, section 4.14).
struct RefreshToken: Sendable {
    var grant: Grant
    var isUsed = false
}

struct IssuedAccessToken: Sendable {
    var grant: Grant
    var scopes: [String]
}

/// A device that waits for its person (RFC 8628).
struct DeviceGrant: Sendable {
    enum Status: Sendable {
        case pending, denied
        case approved(Grant)
    }

    var deviceCode: String
    var userCode: String
    var clientID: String
    var scopes: [String]
    var route: Route
    var status = Status.pending
    var interval: Double
    var lastPoll: Double?
}
