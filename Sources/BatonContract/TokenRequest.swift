import DBus

/// The parameters of `AcquireToken` and `AcquireTokenSilently`; what is nil or empty is the daemon's to choose.
public struct TokenRequest: DictionaryMessage, Hashable {
    /// Empty: those of the sign-in.
    public var scopes: [String]
    /// Consented to on the same page, but not part of the token; `AcquireToken` only.
    public var extraScopesToConsent: [String]
    /// `AcquireToken` only.
    public var prompt: TokenPrompt?
    /// `AcquireToken` only.
    public var loginHint: String?
    /// `AcquireToken` only.
    public var domainHint: String?
    /// A claims request: a JSON object (OpenID Connect Core, section 5.5).
    public var claims: String?
    /// Sent to the provider as they are; none may be a parameter of the protocol. `AcquireToken` only.
    public var extraQueryParameters: [String: String]
    /// Do not answer from memory.
    public var forceRefresh: Bool
    /// One that the app's own file names, or `Tokens.ownRedirectURI`; nil: the managed browser, or batond's loopback page.
    public var redirectURI: String?
    /// The account that the app believes holds the device: its `id` or its `home-account-id`. Another one holds it:
    /// `AccountMismatch`.
    public var account: String?
    /// Letters, digits and hyphens, at most 64 bytes; nil: a new one is made.
    public var correlationID: String?

    public init() { self.init(scopes: []) }

    public init(
        scopes: [String] = [], extraScopesToConsent: [String] = [], prompt: TokenPrompt? = nil,
        loginHint: String? = nil, domainHint: String? = nil, claims: String? = nil,
        extraQueryParameters: [String: String] = [:], forceRefresh: Bool = false, redirectURI: String? = nil,
        account: String? = nil, correlationID: String? = nil
    ) {
        self.scopes = scopes
        self.extraScopesToConsent = extraScopesToConsent
        self.prompt = prompt
        self.loginHint = loginHint
        self.domainHint = domainHint
        self.claims = claims
        self.extraQueryParameters = extraQueryParameters
        self.forceRefresh = forceRefresh
        self.redirectURI = redirectURI
        self.account = account
        self.correlationID = correlationID
    }

    /// The keys of the bus.
    public enum Key: String, CaseIterable, Sendable {
        case scopes, prompt, claims, account
        case extraScopes = "extra-scopes"
        case loginHint = "login-hint"
        case domainHint = "domain-hint"
        case extraQueryParameters = "extra-query-parameters"
        case forceRefresh = "force-refresh"
        case redirectURI = "redirect-uri"
        case correlationID = "correlation-id"

        /// The D-Bus type of its value.
        public var signature: String { TokenRequest.types[rawValue] ?? "" }

        /// `AcquireTokenSilently` has no page to which it could apply, and refuses it.
        public var isInteractiveOnly: Bool {
            switch self {
            case .extraScopes, .prompt, .loginHint, .domainHint, .extraQueryParameters, .redirectURI: true
            case .scopes, .claims, .account, .forceRefresh, .correlationID: false
            }
        }
    }

    public static var refusesUnknownKeys: Bool { true }

    /// What is nil or empty is left out.
    public static let fields: [MessageField<Self>] = Key.allCases.map(\.field)
}

extension TokenRequest.Key {
    fileprivate var field: MessageField<TokenRequest> {
        switch self {
        case .scopes: .nonempty(rawValue, \.scopes)
        case .extraScopes:
            .nonempty(rawValue, \.extraScopesToConsent, "consented to on the same page, not part of the token")
        case .prompt: .optionalWord(rawValue, \.prompt, "if-necessary, select-account, login, consent, create")
        case .loginHint: .line(rawValue, \.loginHint, atMost: 256)
        case .domainHint: .line(rawValue, \.domainHint, atMost: 256)
        case .claims: .line(rawValue, \.claims, "a JSON object", atMost: 4096)
        case .extraQueryParameters: .texts(rawValue, \.extraQueryParameters, "texts")
        case .forceRefresh: .value(rawValue, \.forceRefresh, leftOutIf: { !$0.forceRefresh })
        case .redirectURI: .optional(rawValue, \.redirectURI, "")
        case .account: .line(rawValue, \.account, "id or home-account-id", atMost: 2048)
        case .correlationID: .optional(rawValue, \.correlationID, "")
        }
    }
}
