import Identity

extension ClientSettings {
    /// A client of which the administrator has said no more than its provider and its id.
    static func ordinary(authority: Authority, clientID: String) -> ClientSettings {
        ClientSettings(
            authority: authority, clientID: clientID, scopes: ["openid", "profile", "offline_access"],
            hasDefaultScopes: true, allowsAnyTenant: false, allowsPersonalAccounts: false, allowsGuests: true,
            requestTimeout: .seconds(10))
    }
}
