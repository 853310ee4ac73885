import DBus
public import Vocabulary

/// What `AcquireToken` and `AcquireTokenSilently` answer. It holds secrets: it has no description that shows them, and
/// must not be written down.
public struct TokenResult: OptionalMessage {
    /// Goes into an `Authorization` header behind `tokenType`.
    public var accessToken: String
    /// `Bearer`.
    public var tokenType: String
    /// Unix time in seconds.
    public var expires: UInt64
    /// The scopes that the token is good for.
    public var scopes: [String]
    /// Asked for, but not granted.
    public var declinedScopes: [String]
    /// The worker's ID token, already verified by batond; empty where the provider gave none.
    public var idToken: String
    public var account: Account
    /// The claims of the ID token: a JSON object as text; empty with `idToken`.
    public var claims: String
    /// The issuer of the account.
    public var authority: String
    public var correlationID: String
    /// The turn that the token belongs to; when it ends, so does the app's right to use it.
    public var epoch: Epoch

    public init(
        accessToken: String, tokenType: String = "Bearer", expires: UInt64, scopes: [String],
        declinedScopes: [String] = [], idToken: String = "", account: Account, claims: String = "",
        authority: String, correlationID: String, epoch: Epoch
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expires = expires
        self.scopes = scopes
        self.declinedScopes = declinedScopes
        self.idToken = idToken
        self.account = account
        self.claims = claims
        self.authority = authority
        self.correlationID = correlationID
        self.epoch = epoch
    }

    public init() {
        self.init(
            accessToken: "", tokenType: "", expires: 0, scopes: [], account: Account(), authority: "",
            correlationID: "",
            epoch: 0)
    }

    public var isThere: Bool { !accessToken.isEmpty && account.isThere }

    public static let fields: [MessageField<Self>] = [
        .value("access-token", \.accessToken),
        .value("token-type", \.tokenType),
        .value("expires", \.expires, "Unix time in seconds"),
        .value("scopes", \.scopes),
        .value("declined-scopes", \.declinedScopes),
        .nonempty("id-token", \.idToken),
        .message("account", \.account),
        .nonempty("claims", \.claims, "those of the ID token, a JSON object"),
        .value("authority", \.authority),
        .value("correlation-id", \.correlationID),
        .value("epoch", \.epoch),
    ]
}

extension TokenResult: CustomStringConvertible, CustomReflectable {
    public var description: String { "a token for \(account.id), epoch \(epoch)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
