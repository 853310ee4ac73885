import DBus

/// How to sign in at the identity provider: the options of `SignIn` where accounts are the provider's. What is nil is the
/// daemon's or the provider's to choose.
public struct ProviderSignIn: DictionaryMessage, Hashable {
    public var method: SignInMethod
    /// Where the provider's answer shall arrive: `Tokens.ownRedirectURI`, or one that an app's file names; nil: in
    /// the browser that the agent manages, or at a page of batond on loopback.
    public var redirectURI: String?
    public var prompt: SignInPrompt?
    /// How many seconds ago the worker may have authenticated at the provider at most.
    public var maxAge: UInt64?
    /// The user name that the provider's page begins with.
    public var loginHint: String?
    /// The organisation that the provider's page begins with.
    public var domainHint: String?
    /// Goes to the provider, for its log.
    public var correlationID: String?

    public init() { self.init(.browser) }

    public init(
        _ method: SignInMethod = .browser, redirectURI: String? = nil, prompt: SignInPrompt? = nil,
        maxAge: UInt64? = nil, loginHint: String? = nil, domainHint: String? = nil, correlationID: String? = nil
    ) {
        self.method = method
        self.redirectURI = redirectURI
        self.prompt = prompt
        self.maxAge = maxAge
        self.loginHint = loginHint
        self.domainHint = domainHint
        self.correlationID = correlationID
    }

    public static let refusesUnknownKeys = true

    private static let longestHint = 256

    public static let fields: [MessageField<Self>] = [
        .wordOrDefault("method", \.method, "browser, the default, or device-code"),
        .optional(
            "redirect-uri", \.redirectURI,
            "Baton's own, msauth.org.baton.batonctl://auth, or one that an app's file names; absent: a page of batond on loopback, or, where the agent manages a browser, an address inside that"
        ),
        .optionalWord("prompt", \.prompt, "select-account, login, consent or create"),
        .optional(
            "max-age", \.maxAge,
            "seconds since the worker last authenticated at the provider; longer ago, they must again"),
        .line("login-hint", \.loginHint, "the user name to begin with", atMost: longestHint),
        .line("domain-hint", \.domainHint, "the organisation to begin with", atMost: longestHint),
        .line("correlation-id", \.correlationID, "goes to the provider, for its log", atMost: longestHint),
    ]
}
