public import DBus

/// The parameters of `AcquireToken` and `AcquireTokenSilently`; what is nil or empty is the daemon's to choose.
public struct TokenRequest: Hashable, Sendable {
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

    /// The keys of the bus, with the signatures of their values.
    public enum Key: String, CaseIterable, Sendable {
        case scopes, prompt, claims, account
        case extraScopes = "extra-scopes"
        case loginHint = "login-hint"
        case domainHint = "domain-hint"
        case extraQueryParameters = "extra-query-parameters"
        case forceRefresh = "force-refresh"
        case redirectURI = "redirect-uri"
        case correlationID = "correlation-id"

        public var signature: String {
            switch self {
            case .scopes, .extraScopes: "as"
            case .extraQueryParameters: "a{sv}"
            case .forceRefresh: "b"
            case .prompt, .claims, .account, .loginHint, .domainHint, .redirectURI, .correlationID: "s"
            }
        }

        /// `AcquireTokenSilently` has no page to which it could apply, and refuses it.
        public var isInteractiveOnly: Bool {
            switch self {
            case .extraScopes, .prompt, .loginHint, .domainHint, .extraQueryParameters, .redirectURI: true
            case .scopes, .claims, .account, .forceRefresh, .correlationID: false
            }
        }
    }

    /// The dictionary of the bus; what is nil or empty is left out.
    public var dictionary: VariantDictionary {
        let texts: [Key: String?] = [
            .prompt: prompt?.rawValue, .loginHint: loginHint, .domainHint: domainHint, .claims: claims,
            .redirectURI: redirectURI, .account: account, .correlationID: correlationID,
        ]
        var values: VariantDictionary = [:]
        for (key, text) in texts { values[key.rawValue] = text.map { .string($0) } }
        if !scopes.isEmpty { values[Key.scopes.rawValue] = .strings(scopes) }
        if !extraScopesToConsent.isEmpty { values[Key.extraScopes.rawValue] = .strings(extraScopesToConsent) }
        if !extraQueryParameters.isEmpty {
            values[Key.extraQueryParameters.rawValue] = .dictionary(extraQueryParameters.mapValues { .string($0) })
        }
        if forceRefresh { values[Key.forceRefresh.rawValue] = .boolean(true) }
        return values
    }
}
