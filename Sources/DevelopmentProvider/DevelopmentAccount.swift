import Crypto
import WebText

/// A person who can sign in.
public struct DevelopmentAccount: Sendable, Equatable, Decodable {
    public var username: String
    public var name: String
    public var email: String?
    public var locale: String?
    /// In plain text: this provider is for development only.
    public var password: String
    /// Microsoft's object id; derived from the user name when nil.
    public var objectID: String?
    /// The tenant; the provider's own when nil.
    public var tenantID: String?
    /// A guest's own tenant and their object id there; nil: not a guest.
    public var homeTenantID: String?
    public var homeObjectID: String?
    /// `sub`; derived from the user name when nil.
    public var subject: String?
    /// A Microsoft personal account: its tenant is `consumers`.
    public var isPersonal: Bool

    public init(
        username: String, name: String, email: String? = nil, locale: String? = nil, password: String,
        objectID: String? = nil, tenantID: String? = nil, homeTenantID: String? = nil, homeObjectID: String? = nil,
        subject: String? = nil, isPersonal: Bool = false
    ) {
        self.username = username
        self.name = name
        self.email = email
        self.locale = locale
        self.password = password
        self.objectID = objectID
        self.tenantID = tenantID
        self.homeTenantID = homeTenantID
        self.homeObjectID = homeObjectID
        self.subject = subject
        self.isPersonal = isPersonal
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case username, name, email, locale, password
        case objectID = "oid"
        case tenantID = "tid"
        case homeTenantID = "home-tid"
        case homeObjectID = "home-oid"
        case subject = "sub"
        case isPersonal = "personal"
    }

    public init(from decoder: any Decoder) throws {
        try UnknownKeys.refuse(CodingKeys.self, in: decoder)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        username = try values.decode(String.self, forKey: .username)
        name = try values.decodeIfPresent(String.self, forKey: .name) ?? username
        email = try values.decodeIfPresent(String.self, forKey: .email)
        locale = try values.decodeIfPresent(String.self, forKey: .locale)
        password = try values.decode(String.self, forKey: .password)
        objectID = try values.decodeIfPresent(String.self, forKey: .objectID)
        tenantID = try values.decodeIfPresent(String.self, forKey: .tenantID)
        homeTenantID = try values.decodeIfPresent(String.self, forKey: .homeTenantID)
        homeObjectID = try values.decodeIfPresent(String.self, forKey: .homeObjectID)
        subject = try values.decodeIfPresent(String.self, forKey: .subject)
        isPersonal = try values.decodeIfPresent(Bool.self, forKey: .isPersonal) ?? false
    }

    /// Two to try with; each one's password is the user name.
    public static let samples = [
        DevelopmentAccount(
            username: "ana", name: "Ana Horvat", email: "ana@ward.example", locale: "hr", password: "ana"),
        DevelopmentAccount(
            username: "ben", name: "Ben Okafor", email: "ben@ward.example", locale: "en", password: "ben"),
    ]

    /// One more for Entra ID, with a personal account.
    public static let personalSample = DevelopmentAccount(
        username: "pat", name: "Pat Lind", email: "pat@mail.example", locale: "sv", password: "pat", isPersonal: true)

    var stableSubject: String { subject ?? Base64URL.encode(digest("sub").prefix(24)) }

    /// Microsoft's `login_hint`: opaque, and the same from run to run.
    var loginHint: String { "O." + Base64URL.encode(digest("hint")) }

    /// A GUID that stays the same from run to run.
    var stableObjectID: String {
        if let objectID { return objectID }
        let digits = digest("oid").prefix(16).map { byte in
            let text = String(byte, radix: 16)
            return text.utf8.count == 1 ? "0" + text : text
        }.joined()
        var groups: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }

    private func digest(_ purpose: String) -> [UInt8] { Array(SHA256.hash(data: Array("\(purpose):\(username)".utf8))) }
}
