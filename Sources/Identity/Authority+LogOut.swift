extension Authority {
    /// Other addresses at which the provider ends the session that this one ends.
    ///
    /// Entra ID's session is the browser's, not the tenant's, and Microsoft's own pages end it at `common`, some of them at
    /// the address of the version before.
    public func logOutAddresses(beside endSession: String) -> [String] {
        guard case .entra = kind, let address = WebAddress(endSession),
            let place = address.pathParts.firstIndex(of: "oauth2"), place > 0
        else { return [] }
        let before = address.pathParts[..<(place - 1)].map { "/\($0)" }.joined()
        let own = String(address.pathParts[place - 1])
        return [own, "common", "organizations"].flatMap { tenant in
            ["oauth2/v2.0/logout", "oauth2/logout"].map { "\(address.origin)\(before)/\(tenant)/\($0)" }
        }.filter { $0 != endSession }
    }
}
