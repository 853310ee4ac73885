import Identity
package import SessionMachine
import Vocabulary

extension ProviderRefusal {
    package static let administratorReason = "admin_consent_required"
    /// AADSTS65004: on the page that asked for it, the worker did not consent.
    private static let consentDeclined = 65004

    package static let localAccounts = ProviderRefusal(
        .rejected,
        "This device's accounts are local, and there are no tokens for them. Apps use Device1 alone here, or an "
            + "administrator sets up an identity provider (\(SettingsKey.identityKind): oidc).",
        reason: "local_accounts")

    static let restarted = ProviderRefusal(
        .interactionRequired,
        "batond was restarted and has no tokens of this turn. Call AcquireToken: the worker must authenticate "
            + "again.", reason: "restarted")

    /// The provider gave less than was asked for.
    package init(declined: [String], granted: [String]) {
        self.init(
            .declinedScopes,
            "Not everything was granted; missing: \(declined.joined(separator: " ").prefix(512)). Ask silently for the "
                + "granted scopes alone, or explain the purpose of the others to the worker and call AcquireToken with "
                + "prompt consent.", reason: "scopes_declined", granted: granted, declined: declined)
    }

    /// What the caller hears of a failure at the provider.
    ///
    /// - Parameter asked: The scopes of a page on which there was nothing to refuse but consent; nil: of no such page.
    init(_ error: IdentityError, asked: [String]?) {
        let numbers = error.errorCodes
        switch error.cause {
        case .network: self.init(.unreachable, error.text, reason: "network")
        case .tls: self.init(.unreachable, error.text, reason: "tls")
        case .timeout: self.init(.unreachable, error.text, reason: "timeout")
        case .unavailable: self.init(.unreachable, error.text, reason: "temporarily_unavailable")
        case .interactionRequired(let code):
            self.init(.interactionRequired, "\(error.text) Call AcquireToken, which asks them.", reason: code)
        case .rejected(Self.administratorReason, _):
            self.init(
                .interactionRequired,
                "The tenant requires its administrator's approval for this app's scopes; the worker cannot give it. "
                    + "Ask the tenant's administrator to approve the app. \(error.text)",
                reason: Self.administratorReason)
        case .denied where asked != nil || numbers.contains(Self.consentDeclined):
            self.init(
                .declinedScopes,
                "The worker did not grant the scopes to the app. Explain their purpose, and call AcquireToken "
                    + "again.", reason: "consent_declined", declined: asked ?? [])
        case .denied: self.init(.canceled, error.text, reason: "access_denied")
        case .expired, .unfinished: self.init(.canceled, error.text, reason: "expired")
        case .canceled: self.init(.canceled, error.text, reason: "canceled")
        case .accountNotAllowed: self.init(.notAllowed, error.text, reason: "account_not_allowed")
        case .rejected(let code, _): self.init(.rejected, error.text, reason: code)
        case .invalidAnswer: self.init(.rejected, error.text, reason: "invalid_answer")
        case .notTrusted: self.init(.rejected, error.text, reason: "not_trusted")
        case .noFreshLogin: self.init(.rejected, error.text, reason: "no_fresh_login")
        case .unsupported: self.init(.rejected, error.text, reason: "unsupported")
        case .clocksDiffer: self.init(.rejected, error.text, reason: "clock_skew")
        case .misconfigured: self.init(.rejected, error.text, reason: "misconfigured")
        }
        errorCodes = numbers
        subError = error.subError
        claims = error.claims?.text ?? ""
    }
}
