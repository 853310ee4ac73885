public import Baton
internal import FoundationEssentials

/// A worker's account as an app knows it; two are the same when their ids are.
public struct ClientAccount: Sendable {
    /// As the device has it.
    public let account: Account
    /// The claims of the ID token, as JSON; empty until this app has had a token in this turn.
    let claims: String

    init(_ account: Account, claims: String = "") {
        self.account = account
        self.claims = claims
    }

    public var username: String? { account.username.isEmpty ? nil : account.username }
    /// The home account's id where the provider has such, else the account's own.
    public var identifier: String? { account.homeAccountID.isEmpty ? account.id : account.homeAccountID }
    public var environment: String { account.environment }
    /// A worker of a shared device is signed in to all of it.
    public var isSSOAccount: Bool { true }

    public var homeAccountId: AccountID? {
        let home = account.homeAccountID
        guard let dot = home.lastIndex(of: ".") else {
            return AccountID(identifier: account.id, objectId: account.id, tenantId: account.tenant)
        }
        return AccountID(
            identifier: home, objectId: String(home[..<dot]), tenantId: String(home[home.index(after: dot)...]))
    }

    /// The claims of the ID token; nil until this app has had a token in this turn.
    public var accountClaims: [String: Any]? { ClaimsText.values(claims) }

    /// The one tenant that the account is signed in with.
    public var tenantProfiles: [TenantProfile]? { [TenantProfile(account: account, claimsText: claims)] }

    /// The parts of a home account's id.
    public struct AccountID: Hashable, Sendable {
        public let identifier: String
        public let objectId: String
        public let tenantId: String
    }
}

extension ClientAccount: Hashable {
    public static func == (left: ClientAccount, right: ClientAccount) -> Bool { left.account.id == right.account.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(account.id) }
}

/// What a tenant knows of an account.
public struct TenantProfile: Sendable {
    let account: Account
    let claimsText: String

    public var identifier: String? { account.id }
    public var environment: String? { account.environment }
    public var tenantId: String? { account.tenant }
    public var isHomeTenantProfile: Bool { true }
    public var claims: [String: Any]? { ClaimsText.values(claimsText) }
}

/// A JSON object as a dictionary that code for MSAL expects.
enum ClaimsText {
    static func values(_ text: String) -> [String: Any]? {
        guard !text.isEmpty else { return nil }
        return (try? JSONDecoder().decode(Value.self, from: Data(text.utf8)))?.any as? [String: Any]
    }

    static func isObject(_ text: String) -> Bool { values(text) != nil }

    private enum Value: Decodable {
        case null
        case boolean(Bool)
        case integer(Int)
        case number(Double)
        case string(String)
        case array([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .boolean(value)
            } else if let value = try? container.decode(Int.self) {
                self = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if let value = try? container.decode([Value].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }

        /// A null in an object is left out, one in an array stays as an empty optional would.
        var any: Any {
            switch self {
            case .null: String?.none as Any
            case .boolean(let value): value
            case .integer(let value): value
            case .number(let value): value
            case .string(let value): value
            case .array(let values): values.map(\.any)
            case .object(let members):
                members.compactMapValues { member -> Any? in if case .null = member { nil } else { member.any } }
            }
        }
    }
}
