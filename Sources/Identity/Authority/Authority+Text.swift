public import Vocabulary
import WebText

extension Authority {
    private static let wellKnown = "/.well-known/openid-configuration"

    /// Reads an authority of the settings and tells its kind by its host, as MSAL does.
    ///
    /// - Parameter type: For providers behind a host of one's own.
    /// - Throws: `misconfigured` with a sentence that says what to write.
    public init(_ text: String, type: AuthorityType? = nil) throws(IdentityError) {
        var text = text[...]
        while text.last == "/" { text.removeLast() }
        if text.hasSuffix(Self.wellKnown) { text.removeLast(Self.wellKnown.count) }
        while text.last == "/" { text.removeLast() }
        guard let address = WebAddress(ofProvider: String(text)) else {
            throw Self.fault(
                "the authority is not an address such as https://login.example.com/realm (no user, no fragment)")
        }
        guard address.isSafe else {
            throw Self.fault("the authority must begin with https:// (http:// is for this machine's own loopback)")
        }
        guard address.query == nil else {
            throw Self.fault("the authority has a query; a B2C policy belongs into its path")
        }
        url = String(text)
        switch type ?? Self.typeByHost(address) {
        case .openid: kind = .openID
        case .entra: kind = .entra(try Self.audience(of: address))
        case .b2c:
            try Self.checkPolicy(of: address)
            kind = .b2c
        case .external:
            kind = .external
            if address.pathParts.isEmpty, let name = Self.customerName(of: address) {
                url += "/\(name).onmicrosoft.com"
            }
        case .adfs:
            guard address.pathParts.contains(where: { $0.lowercased() == "adfs" }) else {
                throw Self.fault("an AD FS authority ends with /adfs, such as https://adfs.example.com/adfs")
            }
            kind = .adfs
        }
    }

    private static func fault(_ sentence: String) -> IdentityError { IdentityError(.misconfigured(what: sentence)) }

    private static func typeByHost(_ address: WebAddress) -> AuthorityType {
        let first = address.pathParts.first?.lowercased()
        if first == "tfp" || address.host.hasSuffix(".b2clogin.com") { return .b2c }
        if address.host.hasSuffix(".ciamlogin.com") { return .external }
        if MicrosoftCloud.named(by: address.host) != nil { return .entra }
        return first == "adfs" ? .adfs : .openid
    }

    private static func audience(of address: WebAddress) throws(IdentityError) -> EntraAudience {
        var parts = address.pathParts
        if parts.last == "v2.0" { parts.removeLast() }
        // A provider behind a host of one's own may have a path before the tenant; Microsoft's have none.
        guard let tenant = parts.last?.lowercased(), parts.count == 1 || MicrosoftCloud.named(by: address.host) == nil
        else {
            throw fault("an Entra ID authority ends with a tenant's id, or with common, organizations or consumers")
        }
        switch tenant {
        case "common": return .common
        case "organizations": return .organizations
        case "consumers", MicrosoftCloud.personalTenant: return .consumers
        default:
            guard IdentityText.isGUID(tenant) || (tenant.contains(".") && tenant.utf8.allSatisfy(isDomainByte)) else {
                throw fault("an Entra ID tenant is an id such as 00000000-0000-0000-0000-000000000000, or a domain")
            }
            return .tenant(tenant)
        }
    }

    private static func checkPolicy(of address: WebAddress) throws(IdentityError) {
        var parts = address.pathParts
        if parts.last == "v2.0" { parts.removeLast() }
        if let start = parts.firstIndex(where: { $0.lowercased() == "tfp" }) { parts.removeSubrange(...start) }
        guard parts.count >= 2 else {
            throw fault("a B2C authority names tenant and policy: https://{name}.b2clogin.com/{tenant}/{policy}")
        }
        let tenant = parts[parts.count - 2].lowercased()
        guard !["common", "organizations", "consumers"].contains(tenant) else {
            throw fault("Azure AD B2C has no \(tenant): its accounts belong to one tenant")
        }
    }

    /// `contoso` of `contoso.ciamlogin.com`: without a path, that is the tenant too.
    private static func customerName(of address: WebAddress) -> Substring? {
        guard address.host.hasSuffix(".ciamlogin.com") else { return nil }
        let name = address.host.dropLast(".ciamlogin.com".count)
        return name.contains(".") || name.isEmpty ? nil : name
    }

    private static func isDomainByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}
