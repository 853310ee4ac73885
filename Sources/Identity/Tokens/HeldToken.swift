public import Secrets
import WebText

/// A token with what an app is told beside it.
public struct HeldToken: Sendable {
    public let token: AccessToken
    /// The newest ID token of the worker; nil where the provider gave none.
    public let idToken: Secret?
    /// What that says: a JSON object as text; empty without one.
    public let claims: String
    /// What was asked for with this wish, and is not granted.
    public let declinedScopes: [String]

    init(_ token: AccessToken, wanted: ScopeSet, in holdings: WorkerSession.Holdings) {
        self.token = token
        idToken = holdings.idToken
        claims = holdings.claims
        let wanted = token.declinedScopes.isEmpty ? [] : wanted.key
        declinedScopes = token.declinedScopes.filter { wanted.contains($0.lowercased()) }
    }
}

/// What an app wants a token for.
public struct TokenWish: Sendable {
    /// Empty: those of the sign-in.
    public var scopes: [String]
    /// A claims request: a JSON object. A token that came without it, or with another, is no answer.
    public var claims: String?
    /// Do not answer from memory.
    public var forceRefresh: Bool
    public var correlationID: String

    public init(
        scopes: [String] = [], claims: String? = nil, forceRefresh: Bool = false, correlationID: String = ""
    ) {
        self.scopes = scopes
        self.claims = claims
        self.forceRefresh = forceRefresh
        self.correlationID = correlationID
    }

    /// Whether a scope is about the sign-in itself, such as `openid`, and not about what a token is good for.
    public static func concernsSignIn(_ scope: String) -> Bool { ScopeSet.reserved.contains(scope.lowercased()) }

    /// The same for each spelling of the same claims request.
    func claimsKey() throws(IdentityError) -> JSONValue? {
        guard let claims else { return nil }
        guard let value = JSONValue(claims.utf8), value.object != nil else {
            throw IdentityError(.misconfigured(what: "claims"), correlationID: correlationID)
        }
        return value
    }
}
