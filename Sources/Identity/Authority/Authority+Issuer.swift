import WebText

extension Authority {
    /// Whether a discovery document that was read from this authority may name this issuer.
    ///
    /// An OpenID issuer is the authority exactly (OpenID Connect Discovery 1.0, section 4.3), but for a slash at its
    /// end. Microsoft's kinds name a tenant by its id where the authority may say it by a name, and each has its own
    /// form of that.
    public func accepts(metadataIssuer issuer: String) -> Bool {
        guard issuer.utf8.count <= WebAddress.longest, let own = address else { return false }
        if case .openID = kind { return issuer == url || issuer == url + "/" }
        guard let named = WebAddress(ofProvider: issuer.replacing(MicrosoftCloud.template, with: Self.anyTenant)) else {
            return false
        }
        guard named.query == nil, named.scheme == own.scheme else { return false }
        let isTemplate = issuer.contains(MicrosoftCloud.template)
        switch kind {
        case .openID: return false
        case .entra(let audience):
            guard let tenant = entraTenant(of: named, own: own) else { return false }
            return isTemplate || Self.fits(tenant, audience)
        case .b2c: return !isTemplate && isPolicyIssuer(named, own: own)
        case .external: return !isTemplate && isCustomerIssuer(named, own: own)
        case .adfs: return !isTemplate && named.origin == own.origin && named.pathParts == own.pathParts
        }
    }

    /// Whether a token of this authority may name this issuer.
    ///
    /// - Parameters:
    ///   - tenant: The token's `tid`, which stands for `{tenantid}` where the document leaves the tenant open.
    ///   - metadata: What the provider's discovery document says.
    public func accepts(tokenIssuer issuer: String, tenant: String?, metadata: ProviderMetadata) -> Bool {
        guard accepts(metadataIssuer: metadata.issuer) else { return false }
        guard case .entra(let audience) = kind else { return issuer == metadata.issuer }
        if metadata.issuer.contains(MicrosoftCloud.template) {
            guard let tenant, IdentityText.isGUID(tenant), Self.fits(tenant, audience) else { return false }
            return issuer == metadata.issuer.replacing(MicrosoftCloud.template, with: tenant)
        }
        guard issuer == metadata.issuer else { return false }
        guard let tenant, let own = address, let named = WebAddress(ofProvider: issuer) else { return tenant == nil }
        return entraTenant(of: named, own: own)?.lowercased() == tenant.lowercased()
    }

    /// Whether a key may sign a token of this issuer: Entra ID's own rule for its key documents.
    ///
    /// - Parameter keyIssuer: `issuer` beside the key, which may leave the tenant open; nil: it says nothing.
    func accepts(keyIssuer: String?, of issuer: String, tenant: String?) -> Bool {
        guard case .entra = kind, let keyIssuer else { return true }
        guard let place = keyIssuer.lowercased().firstRange(of: MicrosoftCloud.template) else {
            return keyIssuer == issuer
        }
        let start = keyIssuer.lowercased()[..<place.lowerBound].utf8.count
        let length = MicrosoftCloud.template.utf8.count
        let (before, after) = (keyIssuer.utf8.prefix(start), keyIssuer.utf8.dropFirst(start + length))
        return tenant.map { Array(before) + Array($0.utf8) + Array(after) == Array(issuer.utf8) } ?? false
    }

    private static let anyTenant = "00000000-0000-0000-0000-000000000000"

    private static func fits(_ tenant: some StringProtocol, _ audience: EntraAudience) -> Bool {
        let tenant = tenant.lowercased()
        return switch audience {
        // The domain of a tenant says nothing about its id; the document came from the tenant's own address.
        case .tenant(let wanted): tenant == wanted || !IdentityText.isGUID(wanted)
        case .common: IdentityText.isGUID(tenant) && tenant != anyTenant
        case .organizations: IdentityText.isGUID(tenant) && tenant != MicrosoftCloud.personalTenant
        case .consumers: tenant == MicrosoftCloud.personalTenant
        }
    }

    /// `{host}/{tenant}` or `{host}/{tenant}/v2.0` at a host of the same cloud, or below the authority's own path.
    private func entraTenant(of issuer: WebAddress, own: WebAddress) -> Substring? {
        var parts = issuer.pathParts
        if parts.last == "v2.0" { parts.removeLast() }
        guard let tenant = parts.popLast() else { return nil }
        if MicrosoftCloud.named(by: own.host) != nil {
            return parts.isEmpty && issuer.port == nil && knownHosts.contains(issuer.host) ? tenant : nil
        }
        var prefix = own.pathParts
        if prefix.last == "v2.0" { prefix.removeLast() }
        return issuer.origin == own.origin && parts == prefix.dropLast() ? tenant : nil
    }

    /// `{host}/{tenant id}/v2.0/` or `{host}/tfp/{tenant id}/{policy}/v2.0/`, as the policy decides.
    private func isPolicyIssuer(_ issuer: WebAddress, own: WebAddress) -> Bool {
        var wanted = own.pathParts
        if wanted.last == "v2.0" { wanted.removeLast() }
        guard let policy = wanted.popLast(), let tenant = wanted.popLast() else { return false }
        if wanted.last?.lowercased() == "tfp" { wanted.removeLast() }
        var parts = issuer.pathParts
        guard parts.popLast() == "v2.0", parts.starts(with: wanted) else { return false }
        parts.removeFirst(wanted.count)
        if parts.count == 3, parts[0].lowercased() == "tfp", parts[2].lowercased() == policy.lowercased() {
            parts = [parts[1]]
        }
        guard parts.count == 1, issuer.origin == own.origin else { return false }
        return Self.isSameTenant(parts[0], tenant)
    }

    /// `{host}/{tenant id}/v2.0`, where the host may name the tenant by its id as well.
    private func isCustomerIssuer(_ issuer: WebAddress, own: WebAddress) -> Bool {
        var wanted = own.pathParts
        if wanted.last == "v2.0" { wanted.removeLast() }
        let tenant = wanted.popLast()
        var parts = issuer.pathParts
        guard parts.popLast() == "v2.0", let named = parts.popLast() else { return false }
        guard tenant.map({ Self.isSameTenant(named, $0) }) ?? IdentityText.isGUID(named) else { return false }
        if issuer.origin == own.origin { return parts == wanted }
        return parts.isEmpty && IdentityText.isGUID(named)
            && issuer.origin == "https://\(named.lowercased()).ciamlogin.com"
    }

    /// Whether an issuer's tenant can be the one of the settings, which may say it by a name.
    private static func isSameTenant(_ named: Substring, _ wanted: Substring) -> Bool {
        IdentityText.isGUID(wanted) || !IdentityText.isGUID(named)
            ? named.lowercased() == wanted.lowercased() : true
    }
}
