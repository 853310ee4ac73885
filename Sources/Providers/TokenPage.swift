/// What a page of the provider is for when an app wants a token.
package struct TokenPage: Sendable {
    /// Empty: those of the sign-in.
    package var scopes: [String] = []
    /// Consented to on the same page.
    package var extraScopes: [String] = []
    package var claims: String?
    package var extraQueryParameters: [String: String] = [:]
    /// `id` or `home-account-id` of the only account that will do; nil: any that may hold the device.
    package var account: String?

    package init(
        scopes: [String] = [], extraScopes: [String] = [], claims: String?, extraQueryParameters: [String: String],
        account: String?
    ) {
        self.scopes = scopes
        self.extraScopes = extraScopes
        self.claims = claims
        self.extraQueryParameters = extraQueryParameters
        self.account = account
    }
}
