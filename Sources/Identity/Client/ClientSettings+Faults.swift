import Secrets
import Vocabulary
import WebText

extension ClientSettings {
    /// What is wrong with these settings, in sentences for the administrator; empty: nothing.
    public var faults: [String] {
        accountFaults + clientFaults + connectionFaults
    }

    private static let allowedTenants = SettingsKey.identityAllowedTenants.leaf
    private static let anyTenant = "\(SettingsKey.identityAllowAnyTenant.leaf): true"

    private var accountFaults: [String] {
        var faults: [String] = []
        if case .entra(let audience) = authority.kind {
            switch audience {
            case .tenant:
                if allowsPersonalAccounts {
                    faults.append("personal accounts are allowed, but the authority is one tenant, which has none")
                }
            case .common, .organizations, .consumers:
                if allowedTenants.isEmpty, !allowsAnyTenant {
                    faults.append(
                        "the authority takes accounts of all tenants: set \(Self.allowedTenants), or \(Self.anyTenant)")
                }
            }
            if audience == .consumers, !allowsPersonalAccounts {
                faults.append("the authority is for personal accounts only, and those are not allowed")
            }
            if audience == .organizations, allowsPersonalAccounts {
                faults.append("personal accounts are allowed, but the authority organizations has none")
            }
        }
        if !allowsGuests {
            guard case .entra = authority.kind else {
                return faults + ["guests are excluded, but only Entra ID marks the accounts of guests"]
            }
        }
        if allowsAnyTenant, !allowedTenants.isEmpty {
            faults.append("\(Self.allowedTenants) and \(Self.anyTenant) contradict each other")
        }
        if authority.hasTenants {
            for tenant in allowedTenants where !IdentityText.isGUID(tenant) {
                faults.append(
                    "the allowed tenant \(IdentityText.shown(tenant)) is not an id: tokens name tenants by id only")
            }
        }
        if case .adfs = authority.kind, !allowedTenants.isEmpty {
            faults.append("AD FS names no tenant, so \(Self.allowedTenants) would refuse all accounts")
        }
        return faults
    }

    private var clientFaults: [String] {
        var faults: [String] = []
        if IdentityText.identifier(clientID) == nil { faults.append("the client id is empty or invalid") }
        for scope in scopes where !Self.isScope(scope) {
            faults.append("the scope \(IdentityText.shown(scope)) is invalid (RFC 6749, section 3.3)")
        }
        switch credential {
        case .none: break
        case .secret(let secret), .certificate(let secret):
            if secret.count == 0 { faults.append("the client's secret or key is empty") }
        }
        if let target = postLogoutRedirectURI, !Self.isRedirect(target) {
            faults.append("the post-logout redirect is not an absolute address without a fragment")
        }
        return faults
    }

    private var connectionFaults: [String] {
        var faults: [String] = []
        if authority.address.map({ !$0.isSafe }) ?? true {
            faults.append("the authority must begin with https:// (http:// is for this machine's own loopback)")
        }
        if !(.milliseconds(100)...(.seconds(300))).contains(requestTimeout) {
            faults.append("the request time-out must lie between 100 ms and 5 min")
        }
        if let caFile, !caFile.hasPrefix("/") { faults.append("the CA file must be an absolute path") }
        if let proxy, WebAddress(ofProvider: proxy).map({ $0.scheme != "http" || $0.port == nil }) ?? true {
            faults.append("the proxy is not of the form http://host:port")
        }
        return faults
    }

    private static func isScope(_ scope: String) -> Bool {
        !scope.isEmpty
            && scope.utf8.allSatisfy { $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) }
    }

    /// A web address, or one with a private-use scheme.
    private static func isRedirect(_ text: String) -> Bool {
        guard !text.utf8.contains(UInt8(ascii: "#")), IdentityText.identifier(text, longest: 2048) != nil else {
            return false
        }
        guard let colon = text.firstIndex(of: ":") else { return false }
        let scheme = text[..<colon].lowercased()
        if scheme == "https" || scheme == "http" { return WebAddress(ofProvider: text) != nil }
        return scheme.first?.isLetter == true
            && scheme.utf8.allSatisfy { $0.isSchemeByte } && text.count > scheme.count + 1
    }
}

extension UInt8 {
    /// RFC 3986, section 3.1, in lower case.
    fileprivate var isSchemeByte: Bool {
        (0x61...0x7A).contains(self) || (0x30...0x39).contains(self) || "+-.".utf8.contains(self)
    }
}
