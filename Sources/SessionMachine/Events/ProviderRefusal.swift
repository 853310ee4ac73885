public import Vocabulary

/// What the identity provider refused a token with, as people and as programs want to know it. Never a secret.
public struct ProviderRefusal: Hashable, Sendable {
    /// What came between the caller and a token.
    public enum Kind: Hashable, Sendable {
        case interactionRequired
        case declinedScopes
        case canceled
        case unreachable
        case rejected
        case notAllowed
        case invalid

        /// The error that the caller gets.
        public var code: ErrorCode {
            switch self {
            case .interactionRequired: .interactionRequired
            case .declinedScopes: .serverDeclinedScopes
            case .canceled: .userCanceled
            case .unreachable: .providerUnreachable
            case .rejected: .providerRejected
            case .notAllowed: .notAuthorized
            case .invalid: .invalidArgument
            }
        }
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
