internal import Secrets

/// What the provider is still to be told after a sign-out.
struct SignOutDebt: Sendable {
    enum Part: Sendable {
        /// We hold nothing that it could be done with.
        case nothing
        case notOffered
        /// Not reached yet.
        case open
        case done
        case refused
        /// A page came, and it may want a click.
        case waitsForPerson
    }

    var refreshToken: Secret?
    /// Access tokens, and refresh tokens of earlier sign-ins.
    var others: [(token: Secret, hint: TokenHint)]
    var idToken: Secret?
    var refresh: Part
    var access: Part
    var session: Part
    /// That is how we know of the session.
    var endedInBrowser = false

    init(refreshToken: Secret?, others: [(token: Secret, hint: TokenHint)], idToken: Secret?) {
        self.refreshToken = refreshToken
        self.others = others
        self.idToken = idToken
        refresh = refreshToken == nil ? .nothing : .open
        access = others.isEmpty ? .nothing : .open
        session = idToken == nil ? .nothing : .open
    }

    var isOpen: Bool { [refresh, access, session].contains(.open) }

    /// The refresh token counts for both: without it the access token soon ends by itself.
    private var tokens: Part { refresh == .nothing ? access : refresh }

    var outcome: ProviderSignOut {
        if isOpen {
            return ProviderSignOut(.pending, explanation: "The provider was not reached in time; \(openParts).")
        }
        switch (session, tokens) {
        case (.done, _):
            let how = endedInBrowser ? "The log-out page in the worker's browser led back" : "The provider answered"
            return ProviderSignOut(.signedOut, explanation: "\(how) as after a log-out\(tokensEnd).")
        case (.refused, .done):
            return ProviderSignOut(
                .refused, explanation: "The provider refused to end its session; it revoked the tokens.")
        case (.refused, _):
            return ProviderSignOut(.refused, explanation: "The provider refused to end its session\(tokensEnd).")
        case (.waitsForPerson, .done):
            return ProviderSignOut(
                .revoked,
                explanation: "The tokens are revoked; the provider's log-out page waits for a person in a browser.")
        case (_, .done):
            return ProviderSignOut(.revoked, explanation: "The tokens are revoked; \(noLogout).")
        case (.waitsForPerson, let tokens):
            return ProviderSignOut(
                tokens == .refused ? .refused : .notTold,
                explanation: "The provider's log-out page waits for a person in a browser\(tokensEnd).")
        case (_, .refused):
            return ProviderSignOut(
                .refused, explanation: "The provider does not let this client revoke tokens; \(noLogout).")
        default:
            return ProviderSignOut(.notTold, explanation: "There was nothing to tell the provider with.")
        }
    }

    private var openParts: String {
        switch (session == .open, refresh == .open || access == .open) {
        case (true, true): "neither its session ended nor were the tokens revoked"
        case (true, false): "its session may still be open"
        default: "the tokens are not all revoked"
        }
    }

    private var tokensEnd: String {
        switch (tokens, access) {
        case (.done, .refused): " and revoked the refresh token; the access token ends by itself"
        case (.done, _): " and revoked the tokens"
        case (.refused, _): "; it does not let this client revoke tokens"
        case (.notOffered, _): "; it does not offer to revoke tokens"
        default: ""
        }
    }

    private var noLogout: String {
        session == .nothing ? "there was no ID token to log out with" : "the provider offers no log-out"
    }
}
