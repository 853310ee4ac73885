import Vocabulary
import WebText

/// What the settings can tell of an authority before batond has asked it.
enum AuthorityAddress {
    /// Where Microsoft's own tenants live, in each of its clouds.
    private static let microsoftHosts: Set<String> = [
        "login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net",
        "login.microsoftonline.us", "login.usgovcloudapi.net", "login-us.microsoftonline.com",
        "login.partner.microsoftonline.cn", "login.chinacloudapi.cn", "login.microsoftonline.de",
    ]

    /// Why this can be no authority; nil when it can.
    static func refusal(_ text: String) -> String? {
        guard !text.contains("@") else { return "must not contain a user name or a password" }
        guard let address = WebAddress(text) else {
            return "is not the address of a provider, such as https://login.example.org"
        }
        guard address.query == nil, address.fragment == nil else {
            return "must have no query and no fragment"
        }
        guard address.scheme == "https" || address.site.isCommonLoopback else {
            return "must begin with https://; http is for 127.0.0.1, [::1] and localhost only"
        }
        return nil
    }

    /// `common`, `organizations` or `consumers` where the authority takes accounts of any tenant; nil elsewhere.
    static func audience(_ text: String, type: AuthorityType?) -> String? {
        guard let address = WebAddress(text), type == .entra || microsoftHosts.contains(address.host) else {
            return nil
        }
        let first = address.pathParts.first?.lowercased() ?? ""
        return ["common", "organizations", "consumers"].contains(first) ? first : nil
    }
}
