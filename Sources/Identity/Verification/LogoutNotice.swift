import WebText

/// The provider's word that a session has ended.
public struct LogoutNotice: Hashable, Sendable {
    public var issuer: String
    public var subject: String?
    public var sessionID: String?

    /// Nothing to go by, neither a subject nor a session, is no notice.
    public init?(issuer: String, subject: String? = nil, sessionID: String? = nil) {
        guard subject != nil || sessionID != nil else { return nil }
        self.issuer = issuer
        self.subject = subject
        self.sessionID = sessionID
    }

    /// Reads a front-channel log-out (OpenID Connect Front-Channel Logout 1.0, section 2), which is not signed.
    ///
    /// Any page can send one, so it counts for nothing but the very session that it names: the session's id is the
    /// proof. Without one there is no notice.
    public static func frontChannelNotice(issuer: String?, sessionID: String?) -> LogoutNotice? {
        guard let issuer = IdentityText.identifier(issuer, longest: WebAddress.longest),
            let sessionID = IdentityText.identifier(sessionID)
        else { return nil }
        return LogoutNotice(issuer: issuer, sessionID: sessionID)
    }

    /// The log-out token that a provider posted as a form (Back-Channel Logout 1.0, section 2.5); nil when there is none,
    /// or more than one.
    public static func token(inForm body: String) -> String? {
        let tokens = FormText.decoded(body[...])?.filter { $0.name == "logout_token" } ?? []
        guard let token = tokens.first, tokens.count == 1, !token.value.isEmpty else { return nil }
        return token.value
    }

    /// Whether this worker's session is meant.
    ///
    /// A worker may have sessions elsewhere: when both sides name the session, it must be the same. When the ID token
    /// named none, the subject decides.
    public func concerns(_ identity: WorkerIdentity) -> Bool {
        guard issuer == identity.issuer, subject == nil || subject == identity.subject else { return false }
        guard let sessionID, !identity.sessionID.isEmpty else { return subject != nil }
        return sessionID == identity.sessionID
    }
}
