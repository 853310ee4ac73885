/// What the provider shall ask of the worker, whether it knows them or not (OpenID Connect Core, section 3.1.2.1).
public enum SignInPrompt: String, Hashable, Sendable, Codable, CaseIterable {
    case selectAccount = "select-account"
    case login, consent, create
}
