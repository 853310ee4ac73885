import WebText

extension Authority {
    /// Other addresses at which the provider ends the session that this one ends.
    ///
    /// Entra ID's session is the browser's, not the tenant's: Microsoft's own pages end it at `common`, some of them at the
    /// address of the version before, and apps of a tenant at its domain, where discovery names its id.
    public func logOutAddresses(beside endSession: String) -> [String] {
        guard case .entra(let audience) = kind, let address = WebAddress(ofProvider: endSession),
            let place = address.pathParts.firstIndex(of: "oauth2"), place > 0
        else { return [] }
        let before = address.pathParts[..<(place - 1)].map { "/\($0)" }.joined()
        let own = String(address.pathParts[place - 1])
        var tenants = [own]
        if case .tenant(let name) = audience { tenants.append(name) }
        tenants += ["common", "organizations", "consumers"]
        var addresses: [String] = []
        for tenant in tenants {
            for end in ["oauth2/v2.0/logout", "oauth2/logout"] {
                let other = "\(address.origin)\(before)/\(tenant)/\(end)"
                if other != endSession, !addresses.contains(other) { addresses.append(other) }
            }
        }
        return addresses
    }
}
