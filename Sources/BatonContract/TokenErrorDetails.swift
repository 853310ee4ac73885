import DBus

/// What an error of `AcquireToken` and `AcquireTokenSilently` says to programs: the answer of `GetErrorDetails`. Never a
/// secret.
public struct TokenErrorDetails: ReportMessage, Hashable {
    /// Why, in the provider's words or batond's: `login_required`, `consent_required`, `admin_consent_required`,
    /// `invalid_grant`, `restarted` and so on; empty: the error's name says it all.
    public var reason: String
    /// The provider's finer error code, such as Microsoft's `suberror`; empty without one.
    public var subError: String
    /// Microsoft's AADSTS numbers.
    public var errorCodes: [UInt64]
    public var grantedScopes: [String]
    /// With `ServerDeclinedScopes`: what was refused.
    public var declinedScopes: [String]
    /// What the provider demands, a JSON object; the next `AcquireToken` asks for it without being told. Empty: nothing.
    public var claims = ""
    public var correlationID: String

    public init() { self.init(reason: "") }

    public init(
        reason: String = "", subError: String = "", errorCodes: [UInt64] = [], grantedScopes: [String] = [],
        declinedScopes: [String] = [], correlationID: String = ""
    ) {
        self.reason = reason
        self.subError = subError
        self.errorCodes = errorCodes
        self.grantedScopes = grantedScopes
        self.declinedScopes = declinedScopes
        self.correlationID = correlationID
    }

    /// What is empty is left out.
    public static let fields: [MessageField<Self>] = [
        .nonempty("reason", \.reason),
        .nonempty("sub-error", \.subError),
        .nonempty("error-codes", \.errorCodes),
        .nonempty("scopes", \.grantedScopes, "granted"),
        .nonempty("declined-scopes", \.declinedScopes),
        .nonempty(
            "claims", \.claims,
            "what the provider demands, a JSON object; the next page asks for it, whether the app repeats it or not"),
        .nonempty("correlation-id", \.correlationID),
    ]
}
