public import FoundationEssentials
import WebText

/// Where an app's accounts come from. Which provider the device signs in at, its own settings say; an app's authority is
/// checked for its form and kept.
public struct ClientAuthority: Hashable, Sendable {
    public let url: URL

    /// - Throws: An `MSALErrorDomain` error that says what is wrong with it.
    public init(url: URL) throws {
        self.url = try speakingMSAL {
            do throws(AuthorityFault) {
                try AuthorityFault.check(url.absoluteString)
                return url
            } catch {
                throw ClientFault.authority(error)
            }
        }
    }

    /// One that batond gave.
    init?(trusted text: String) {
        guard let url = URL(string: text) else { return nil }
        self.url = url
    }
}

/// What is wrong with an authority; the words stand behind 'The authority'.
enum AuthorityFault: Error, Hashable, CaseIterable {
    case length, characters, scheme, userName, host, tail, tenant, policy

    /// Hosts at which the first part of the path says whose accounts are meant.
    private static let microsoft: Set<String> = [
        "login.microsoftonline.com", "login.microsoftonline.us", "login.chinacloudapi.cn", "login.microsoftonline.de",
        "login.partner.microsoftonline.cn", "login.windows.net", "login.microsoft.com", "sts.windows.net",
        "login.sovcloud-identity.fr", "login.sovcloud-identity.de", "login.sovcloud-identity.sg",
    ]

    static func check(_ text: String) throws(AuthorityFault) {
        guard (1...2048).contains(text.utf8.count) else { throw .length }
        guard WebAddress.isPlain(text) else { throw .characters }
        guard let address = AddressParts(text) else { throw .scheme }
        guard address.userInfo == nil else { throw .userName }
        guard let site = WebHost(address.authority) else { throw .host }
        guard address.scheme == "https" || address.scheme == "http" && site.isCommonLoopback else { throw .scheme }
        guard address.query == nil, address.fragment == nil else { throw .tail }
        let (host, parts) = (site.name, address.path.split(separator: "/"))
        if microsoft.contains(host), parts.isEmpty { throw .tenant }
        if parts.first == "tfp", parts.count < 3 { throw .policy }
        if host.hasSuffix(".b2clogin.com"), parts.count < 2 { throw .policy }
    }
}

extension AuthorityFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .length: "must have 1 to 2048 characters"
        case .characters: "is not an address: it has invalid characters"
        case .scheme: "must begin with https:// – http:// is for this machine's own loopback only"
        case .userName: "must not contain a user name"
        case .host: "has no host"
        case .tail: "must have no ? and no #"
        case .tenant: "names no tenant: a tenant's id or domain, common, organizations or consumers behind the host"
        case .policy: "names no policy: Azure AD B2C has its tenant and its policy in the path"
        }
    }
}
