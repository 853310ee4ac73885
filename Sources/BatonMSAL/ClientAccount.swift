public import Baton
import WebText

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
    static func values(_ text: String) -> [String: Any]? { JSONValue(text.utf8)?.object.map(values) }

    static func isObject(_ text: String) -> Bool { values(text) != nil }

    /// A null in an object is left out.
    private static func values(_ members: [String: JSONValue]) -> [String: Any] {
        members.filter { $0.value != .null }.mapValues(any)
    }

    /// A null in an array stays as an empty optional would.
    private static func any(_ value: JSONValue) -> Any {
        switch value {
        case .null: String?.none as Any
        case .boolean(let value): value
        case .integer(let value): Int(value)
        case .number(let value): value
        case .string(let value): value
        case .array(let elements): elements.map(any)
        case .object(let members): values(members)
        }
    }
}
