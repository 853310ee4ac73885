/// What the caller that starts a sign-in wishes of it.
public struct AuthorizationRequest: Sendable {
    /// What the provider's pages shall do: OpenID Connect Core, section 3.1.2.1.
    public enum Prompt: String, Sendable {
        case selectAccount = "select_account"
        /// The worker must show who they are even if the browser still knows them. An ID token whose `auth_time` is
        /// older than the request, or missing, is then refused with `noFreshLogin`.
        case login
        case consent
        /// Makes a new account (Initiating User Registration via OpenID Connect 1.0).
        case create
        /// No page at all: an answer or `interactionRequired`.
        case none
    }

    /// Nil: the settings' scopes. Otherwise these, and those of the settings that concern the sign-in itself, such as
    /// `openid` and `offline_access`.
    public var scopes: [String]?
    /// Only who the worker is, by all scopes that may say so: no `offline_access`, which would bring what lasts.
    public var isProofOnly = false
    /// Where the browser shall bring the answer. The device grant needs none.
    public var redirectURI: String
    public var prompt: Prompt?
    /// How many seconds before this request the worker may have shown who they are. 0: during it, as with `login`, but
    /// then the provider must say when it was. Clocks may differ by 120 s.
    public var maxAge: Int64?
    /// The worker must show who they are in this very sign-in, as with `login`, whatever the prompt is.
    public var needsFreshLogin = false
    /// Sends `max_age=1`, which some obey that ignore `prompt=login` and `max_age=0` soon after a login. Having been asked
    /// for it so, the provider need not say when the login was.
    public var asksWithMaxAge = false
    public var loginHint: String?
    public var domainHint: String?
    /// A JSON object (OpenID Connect Core, section 5.5).
    public var claims: String?
    /// What the token endpoint wants beside that. A token that comes of it answers requests with `claims` alone.
    public var demandedClaims: DemandedClaims?
    /// Asked for on the consent page too, but not part of the token.
    public var extraScopesToConsent: [String] = []
    /// Sent as they are; none may be a parameter of the protocol.
    public var extraQueryParameters: [String: String] = [:]
    /// How long the answer may take, in seconds; at most a day.
    public var lifetime: Int64 = 600
    /// Goes with each request; letters, digits and hyphens, otherwise a new one is made.
    public var correlationID: String

    public init(redirectURI: String = "", correlationID: String = "") {
        self.redirectURI = redirectURI
        self.correlationID = correlationID
    }
}
