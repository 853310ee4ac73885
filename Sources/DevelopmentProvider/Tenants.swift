/// Tenants and the issuers that follow from them.
struct Tenants: Sendable {
    /// Where Microsoft keeps personal accounts.
    static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

    let kind: ProviderKind
    /// The tenant of accounts that name none.
    let home: String
    /// Every tenant that has accounts.
    let known: Set<String>

    init(kind: ProviderKind, home: String, accounts: [DevelopmentAccount]) {
        self.kind = kind
        self.home = home.lowercased()
        known = Set(accounts.compactMap { $0.tenantID?.lowercased() }).union([home.lowercased()])
    }

    func tenant(of account: DevelopmentAccount) -> String {
        account.isPersonal && kind == .entra ? Self.consumers : account.tenantID?.lowercased() ?? home
    }

    /// The GUID that a path segment stands for; nil for `common` and `organizations`.
    ///
    /// A domain name stands for the home tenant.
    func resolve(_ segment: String) throws(OAuthFault) -> String? {
        let name = segment.lowercased()
        switch name {
        case "common", "organizations":
            guard kind == .entra else { break }
            return nil
        case "consumers":
            guard kind == .entra else { break }
            return Self.consumers
        default: break
        }
        if known.contains(name) || name == Self.consumers && kind == .entra { return name }
        if name.contains("."), !name.hasPrefix("."), name.utf8.count <= 253 { return home }
        throw OAuthFault("invalid_tenant", "The tenant was not found.", number: 90_002)
    }

    /// Whether an account may sign in at this address.
    func admits(_ account: DevelopmentAccount, at route: Route) -> Bool {
        guard kind.hasTenants, let segment = route.tenant else { return true }
        switch segment.lowercased() {
        case "common": return true
        case "organizations": return !account.isPersonal
        default: return (try? resolve(segment)) == tenant(of: account)
        }
    }

    /// The issuer of the discovery document.
    func discoveryIssuer(_ base: String, _ route: Route) throws(OAuthFault) -> String {
        guard kind.hasTenants, let segment = route.tenant else { return issuer(base, tenant: home) }
        guard let tenant = try resolve(segment) else { return "\(base)/{tenantid}/v2.0" }
        return issuer(base, tenant: tenant)
    }

    /// The issuer of tokens for accounts of a tenant.
    func issuer(_ base: String, tenant: String) -> String {
        switch kind {
        case .openid: base
        case .entra, .external: "\(base)/\(tenant)/v2.0"
        case .b2c: "\(base)/\(tenant)/v2.0/"
        case .adfs: "\(base)/adfs"
        }
    }
}
