/// What a page of the provider is for when an app wants a token.
struct TokenPage: Sendable {
    /// Empty: those of the sign-in.
    var scopes: [String] = []
    /// Consented to on the same page.
    var extraScopes: [String] = []
    var claims: String?
    var extraQueryParameters: [String: String] = [:]
    /// `id` or `home-account-id` of the only account that will do; nil: any that may hold the device.
    var account: String?
}
