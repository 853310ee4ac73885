public import DBus

/// A worker's identity.
public struct Account: Hashable, Sendable, Codable {
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

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, username, name, tenant, environment, locale
        case homeAccountID = "home-account-id"
    }

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

    /// Nobody, which the bus says with an empty dictionary, is nil.
    public init?(_ dictionary: VariantDictionary) {
        guard let id = dictionary["id"]?.string, !id.isEmpty else { return nil }
        func text(_ key: CodingKeys) -> String { dictionary[key.rawValue]?.string ?? "" }
        self.init(
            id: id, username: text(.username), name: text(.name), homeAccountID: text(.homeAccountID),
            tenant: text(.tenant), environment: text(.environment), locale: text(.locale))
    }

    /// The dictionary of the bus; empty values are left out.
    public var dictionary: VariantDictionary {
        let values: [CodingKeys: String] = [
            .id: id, .username: username, .name: name, .homeAccountID: homeAccountID, .tenant: tenant,
            .environment: environment, .locale: locale,
        ]
        return Dictionary(
            uniqueKeysWithValues: values.filter { !$0.value.isEmpty }.map { ($0.key.rawValue, .string($0.value)) })
    }
}
