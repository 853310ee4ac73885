import DBus

/// A worker's identity. That there is no worker, the bus says with an empty dictionary.
public struct Account: OptionalMessage, Hashable, Encodable {
    /// Issuer and subject, opaque and immutable: compare accounts by this and nothing else.
    public var id: String
    public var username: String
    /// The name for people.
    public var name: String
    public var homeAccountID: String
    public var tenant: String
    public var environment: String
    /// A locale such as `hr`, or empty.
    public var locale: String

    public init() { self.init(id: "") }

    public init(
        id: String, username: String = "", name: String = "", homeAccountID: String = "", tenant: String = "",
        environment: String = "", locale: String = ""
    ) {
        self.id = id
        self.username = username
        self.name = name
        self.homeAccountID = homeAccountID
        self.tenant = tenant
        self.environment = environment
        self.locale = locale
    }

    public var isThere: Bool { !id.isEmpty }

    public static let fields: [MessageField<Self>] = [
        .sparse("id", \.id, "issuer and subject, opaque, the only one that identifies"),
        .sparse("username", \.username),
        .sparse("name", \.name),
        .sparse("home-account-id", \.homeAccountID),
        .sparse("tenant", \.tenant),
        .sparse("environment", \.environment),
        .sparse("locale", \.locale),
    ]
}
