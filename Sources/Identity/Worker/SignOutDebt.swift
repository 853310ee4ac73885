import Secrets
import Vocabulary

/// What the provider is still to be told after a sign-out.
struct SignOutDebt: Sendable {
    enum Part: Sendable {
        /// We hold nothing that it could be done with.
        case nothing
        case notOffered
        /// Not reached yet.
        case open
        /// It answered as after a log-out, as some do when they have ended nothing.
        case told
        case done
        case refused
        /// A page came, and it may want a click.
        case waitsForPerson
    }

    /// What shows that the provider's session has ended.
    enum Evidence: Sendable {
        /// Its log-out page, in the worker's own browser, led back to us.
        case browser
        /// It refused the refresh token after the log-out.
        case refreshToken
        /// Its signed notice on the back channel.
        case notice
    }

    /// Whether using the refresh token after a log-out shows what the log-out did.
    enum Look: Sendable {
        /// It is the newest, and nothing but the log-out can have ended it.
        case possible
        /// It may have been used or revoked already: it has to be used before the log-out too.
        case unknown
        /// It is being used.
        case asking
        case impossible
    }

    var refreshToken: Secret?
    /// Access tokens, and refresh tokens of earlier sign-ins.
    var others: [(token: Secret, hint: TokenHint)]
    var idToken: Secret?
    var refresh: Part
    var access: Part
    var session: Part
    private(set) var proof: Evidence?
    var look: Look
    /// After the log-out the provider still took the refresh token.
    var isRefreshTokenGood = false

    init(refreshToken: Secret?, others: [(token: Secret, hint: TokenHint)], idToken: Secret?, look: Look) {
        self.refreshToken = refreshToken
        self.others = others
        self.idToken = idToken
        self.look = refreshToken == nil ? .impossible : look
        refresh = refreshToken == nil ? .nothing : .open
        access = others.isEmpty ? .nothing : .open
        session = idToken == nil ? .nothing : .open
    }

    var isOpen: Bool { [refresh, access, session].contains(.open) }

    /// The provider's session has ended.
    mutating func end(_ proof: Evidence) {
        session = .done
        self.proof = proof
    }

    /// From now on the refresh token may end for other reasons than the log-out.
    mutating func endLook() {
        if look != .impossible { look = .unknown }
    }

    /// Takes over what using the refresh token gave, which has to be revoked like the rest.
    mutating func take(_ answer: TokenAnswer) {
        // Some keep the one that was used good for a while.
        if let newer = answer.refreshToken, let older = refreshToken, newer != older {
            others.insert((older, .refreshToken), at: 0)
            refreshToken = newer
        }
        // Some answer with the one that was given before, as long as it is good.
        if let token = answer.accessToken, !others.contains(where: { $0.token == token }) {
            others.append((token, .accessToken))
        }
        if others.isEmpty { return }
        if access == .nothing || access == .done { access = .open }
    }

    /// The refresh token counts for both: without it the access token soon ends by itself.
    private var tokens: Part { refresh == .nothing ? access : refresh }

    var outcome: ProviderSignOut {
        if isOpen {
            return ProviderSignOut(.pending, explanation: "The provider was not reached in time; \(openParts).")
        }
        switch (session, tokens) {
        case (.done, _):
            return ProviderSignOut(.signedOut, explanation: "\(proofText)\(tokensEnd).")
        case (.refused, .done):
            return ProviderSignOut(
                .refused, explanation: "The provider refused to end its session; it revoked the tokens.")
        case (.refused, _):
            return ProviderSignOut(.refused, explanation: "The provider refused to end its session\(tokensEnd).")
        case (.told, _):
            let rest =
                isRefreshTokenGood
                ? "but after the log-out it still took the refresh token" : "nothing proves that its session ended"
            return ProviderSignOut(
                .told, explanation: "The provider answered as after a log-out\(tokensEnd); \(rest).")
        case (.waitsForPerson, .done):
            return ProviderSignOut(
                .revoked,
                explanation: "The tokens are revoked; the provider's log-out page waits for a person in a browser.")
        case (_, .done):
            return ProviderSignOut(.revoked, explanation: "The tokens are revoked; \(noLogout).")
        case (.waitsForPerson, let tokens):
            return ProviderSignOut(
                tokens == .refused ? .refused : .told,
                explanation: "The provider's log-out page waits for a person in a browser\(tokensEnd).")
        case (_, .refused):
            return ProviderSignOut(
                .refused, explanation: "The provider does not let this client revoke tokens; \(noLogout).")
        default:
            return ProviderSignOut(.notTold, explanation: "There were no tokens to sign out at the provider with.")
        }
    }

    private var proofText: String {
        switch proof {
        case .browser: "The log-out page in the worker's browser redirected as after a log-out"
        case .notice: "The provider reported that its session has ended"
        case .refreshToken, nil: "The provider ended its session: after the log-out it refused the refresh token"
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
