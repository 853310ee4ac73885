/// A registered client.
public struct DevelopmentClient: Sendable, Equatable, Decodable {
    public var id: String
    public var redirectURIs: [String]
    public var postLogoutRedirectURIs: [String]
    public var backchannelLogoutURI: String?
    public var frontchannelLogoutURI: String?
    /// Whether its log-out tokens must have a `sid`.
    public var isBackchannelSessionRequired: Bool
    /// For `client_secret_basic` and `client_secret_post`; in plain text.
    public var secret: String?
    /// A PEM public key or a JSON key set, for `private_key_jwt`.
    public var publicKey: String?
    public var requiresPushedAuthorization: Bool
    /// Whether the consent page always comes.
    public var asksConsent: Bool
    /// `RS256` or `ES256`.
    public var signingAlgorithm: SigningAlgorithm

    public init(
        id: String, redirectURIs: [String] = [], postLogoutRedirectURIs: [String] = [],
        backchannelLogoutURI: String? = nil, frontchannelLogoutURI: String? = nil,
        isBackchannelSessionRequired: Bool = false, secret: String? = nil, publicKey: String? = nil,
        requiresPushedAuthorization: Bool = false, asksConsent: Bool = false,
        signingAlgorithm: SigningAlgorithm = .rs256
    ) {
        self.id = id
        self.redirectURIs = redirectURIs
        self.postLogoutRedirectURIs = postLogoutRedirectURIs
        self.backchannelLogoutURI = backchannelLogoutURI
        self.frontchannelLogoutURI = frontchannelLogoutURI
        self.isBackchannelSessionRequired = isBackchannelSessionRequired
        self.secret = secret
        self.publicKey = publicKey
        self.requiresPushedAuthorization = requiresPushedAuthorization
        self.asksConsent = asksConsent
        self.signingAlgorithm = signingAlgorithm
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, secret
        case redirectURIs = "redirect-uris"
        case postLogoutRedirectURIs = "post-logout-redirect-uris"
        case backchannelLogoutURI = "backchannel-logout-uri"
        case frontchannelLogoutURI = "frontchannel-logout-uri"
        case isBackchannelSessionRequired = "backchannel-logout-session-required"
        case publicKey = "public-key"
        case requiresPushedAuthorization = "require-pushed-authorization"
        case asksConsent = "ask-consent"
        case signingAlgorithm = "signing-algorithm"
    }

    public init(from decoder: any Decoder) throws {
        try UnknownKeys.refuse(CodingKeys.self, in: decoder)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        redirectURIs = try values.decodeIfPresent([String].self, forKey: .redirectURIs) ?? []
        postLogoutRedirectURIs = try values.decodeIfPresent([String].self, forKey: .postLogoutRedirectURIs) ?? []
        backchannelLogoutURI = try values.decodeIfPresent(String.self, forKey: .backchannelLogoutURI)
        frontchannelLogoutURI = try values.decodeIfPresent(String.self, forKey: .frontchannelLogoutURI)
        isBackchannelSessionRequired =
            try values.decodeIfPresent(Bool.self, forKey: .isBackchannelSessionRequired) ?? false
        secret = try values.decodeIfPresent(String.self, forKey: .secret)
        publicKey = try values.decodeIfPresent(String.self, forKey: .publicKey)
        requiresPushedAuthorization =
            try values.decodeIfPresent(Bool.self, forKey: .requiresPushedAuthorization) ?? false
        asksConsent = try values.decodeIfPresent(Bool.self, forKey: .asksConsent) ?? false
        signingAlgorithm = try values.decodeIfPresent(SigningAlgorithm.self, forKey: .signingAlgorithm) ?? .rs256
    }

    var isPublic: Bool { secret == nil && publicKey == nil }
}

/// How ID tokens are signed.
public enum SigningAlgorithm: String, Sendable, Decodable {
    case rs256 = "RS256"
    case es256 = "ES256"
}
