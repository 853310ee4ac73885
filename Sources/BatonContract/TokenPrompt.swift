/// What the provider shall ask of a worker whose app wants a token (Microsoft's prompt types).
public enum TokenPrompt: String, Hashable, Sendable, Codable, CaseIterable {
    /// Only what the provider finds necessary; the default.
    case ifNecessary = "if-necessary"
    case selectAccount = "select-account"
    case login, consent, create
}
