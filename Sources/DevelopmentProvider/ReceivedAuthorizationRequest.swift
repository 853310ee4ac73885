import WebText

/// An authorization request that was found right (OpenID Connect Core, section 3.1.2.1).
struct ReceivedAuthorizationRequest: Sendable {
    enum ResponseMode: String, Sendable {
        case query, fragment
        case formPost = "form_post"
    }

    var route: Route
    var clientID: String
    var redirectURI: String
    var responseMode: ResponseMode
    var state: String?
    var nonce: String?
    var scopes: [String]
    var challenge: String
    var prompts: Set<String>
    var maxAge: Int?
    var loginHint: String?
    /// Whom `id_token_hint` names; no other person may answer.
    var subject: String?
    var domainHint: String?
    var claims: JSONValue?
    var wantsClientInfo: Bool
    var isPushed = false
}

/// A person in the middle of the pages.
struct Interaction: Sendable {
    var request: ReceivedAuthorizationRequest
    /// The session's cookie once the password is right.
    var cookie: String?
    /// Wrong passwords so far.
    var failures = 0
}

/// A log-out that waits for the person's click.
struct LogoutInteraction: Sendable {
    var sessionIDs: Set<String>
    var redirect: String?
    var clientID: String?
}
