public import BatonContract
internal import DBus

/// How to sign in at the identity provider; what is nil is the daemon's or the provider's to choose.
public struct ProviderSignIn: Hashable, Sendable {
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

    var dictionary: VariantDictionary {
        var values: VariantDictionary = ["method": .string(method.rawValue)]
        values["max-age"] = maxAge.map { .uint64($0) }
        let texts = [
            "redirect-uri": redirectURI, "prompt": prompt?.rawValue, "login-hint": loginHint,
            "domain-hint": domainHint, "correlation-id": correlationID,
        ]
        for (key, text) in texts { values[key] = text.map { .string($0) } }
        return values
    }
}
