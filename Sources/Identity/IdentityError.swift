/// Why something at the identity provider did not succeed.
///
/// Nothing in it comes unchecked from outside: a provider could put a code or a token into any text that it sends, and
/// errors end up in logs. Only OAuth error codes of the standard's own alphabet and Entra's numbers are taken over.
public struct IdentityError: Error, Hashable, Sendable {
    /// What went wrong; one case for each thing that a worker or administrator can do about it.
    public enum Cause: Hashable, Sendable {
        /// No connection: the name was not found, the connection was refused or broke off.
        case network
        /// The connection is not secure: wrong certificate, unknown CA, wrong host name.
        case tls
        /// The provider did not answer in time.
        case timeout
        /// The provider is there, but does not work at present: a status of 500 or above, or 429.
        case unavailable(status: Int)
        /// The provider answered with an OAuth error (RFC 6749, section 5.2) or a status of 400 to 499.
        case rejected(code: String, status: Int)
        /// Only the worker can go on: `invalid_grant`, `interaction_required`, `login_required`, `consent_required`.
        case interactionRequired(code: String)
        /// The worker, or an administrator in the page, said no: `access_denied`.
        case denied
        /// The code of the device grant ran out.
        case expired
        /// The worker did not finish on the provider's page in the time that the sign-in has.
        case unfinished
        /// The provider answered something that the standard does not allow; `what` names the part, never its content.
        case invalidAnswer(what: String)
        /// A token, a redirect or an issuer that is not what it must be; `what` says which rule it broke.
        case notTrusted(what: String)
        /// The worker had to show who they are, and did not: the login is older than the request.
        ///
        /// - `isKnown`: False: the provider does not say when the login was.
        case noFreshLogin(isKnown: Bool)
        /// A token that has just been made is from another time: by how many seconds the provider's clock is ahead of this
        /// device's; below 0: behind.
        case clocksDiffer(seconds: Int64)
        /// The settings do not allow the account that signed in.
        case accountNotAllowed(what: String)
        /// The provider does not offer this, such as a device grant.
        case unsupported(what: String)
        /// The settings and the provider do not go together.
        case misconfigured(what: String)
        /// The caller no longer waits.
        case canceled
    }

    public var cause: Cause
    /// The id that went with the request, to find it in the provider's log; empty when there was no request.
    public var correlationID: String
    /// Entra ID's numbers, such as 50076 for AADSTS50076.
    public var errorCodes: [Int]
    /// Entra ID's second code, such as `basic_action`; empty without one.
    public var subError: String
    /// What the provider wants to be asked for on its page.
    public var claims: DemandedClaims?
    /// With `unavailable`: after how many seconds the provider wants to be asked again, if it says.
    public var retryAfter: Int64?
    /// With `network` and `tls`: what failed, in words of our own; empty: not known.
    public var detail = ""

    public init(_ cause: Cause, correlationID: String = "", errorCodes: [Int] = [], subError: String = "") {
        self.cause = cause
        self.correlationID = correlationID
        self.errorCodes = errorCodes
        self.subError = subError
    }

    /// Whether the provider says that an administrator took the account away, or that the worker's session is over. Few say
    /// so; others only refuse a token, which may as well mean that the worker has to show again who they are.
    public var endsTurn: Bool {
        !OAuthError.accountGone.union(OAuthError.sessionEnded).isDisjoint(with: errorCodes)
    }

    /// Whether the same request may succeed later without any change.
    public var isUnreachable: Bool {
        switch cause {
        case .network, .tls, .timeout, .unavailable: true
        default: false
        }
    }
}
