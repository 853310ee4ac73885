/// Microsoft's clouds: hosts that stand for each other, and nothing that stands for anything else.
struct MicrosoftCloud: Sendable {
    /// The first one is the one that tokens name.
    let hosts: [String]

    /// Microsoft's tenant of all personal accounts.
    static let personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
    /// What stands in an issuer for the tenant of the account that signs in.
    static let template = "{tenantid}"

    static let worldwide = Self(hosts: [
        "login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net",
    ])
    static let unitedStatesGovernment = Self(hosts: ["login.microsoftonline.us", "login.usgovcloudapi.net"])
    static let china = Self(hosts: ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"])

    /// The cloud that a host belongs to.
    static func named(by host: String) -> MicrosoftCloud? {
        [worldwide, unitedStatesGovernment, china].first { $0.hosts.contains(host) }
    }
}
