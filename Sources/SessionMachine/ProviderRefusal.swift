/// What the identity provider refused a token with, as people and as programs want to know it. Never a secret.
public struct ProviderRefusal: Hashable, Sendable {
    /// The last part of the bus error name.
    public enum Kind: String, Hashable, Sendable {
        case interactionRequired = "InteractionRequired"
        case declinedScopes = "ServerDeclinedScopes"
        case canceled = "UserCanceled"
        case unreachable = "ProviderUnreachable"
        case rejected = "ProviderRejected"
        case notAllowed = "NotAuthorized"
        case invalid = "InvalidArgument"
    }

    public var kind: Kind
    /// What happened and what to do.
    public var text: String
    /// In the provider's words or ours, such as `login_required`.
    public var reason: String
    public var subError: String
    public var errorCodes: [Int]
    public var granted: [String]
    public var declined: [String]
    /// What the provider wants to be asked for on its page: a JSON object; empty: nothing.
    public var claims = ""

    public init(
        _ kind: Kind, _ text: String, reason: String = "", subError: String = "", errorCodes: [Int] = [],
        granted: [String] = [], declined: [String] = []
    ) {
        self.kind = kind
        self.text = text
        self.reason = reason
        self.subError = subError
        self.errorCodes = errorCodes
        self.granted = granted
        self.declined = declined
    }
}
