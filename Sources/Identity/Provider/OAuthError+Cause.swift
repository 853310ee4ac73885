extension OAuthError {
    private static let interaction: Set<String> = [
        "invalid_grant", "interaction_required", "login_required", "consent_required", "account_selection_required",
    ]
    /// Entra ID's second codes that a person at a screen can resolve.
    private static let resolvable: Set<String> = [
        "additional_action", "basic_action", "consent_required", "message_only", "user_password_expired",
    ]
    /// AADSTS65001: consent is missing.
    private static let consentMissing: Set<Int> = [65001]
    /// AADSTS90094 and its kin, and AADSTS90095 where the tenant takes requests: only an administrator can consent.
    private static let administratorNeeded: Set<Int> = [90094, 90095, 900_941, 900_951, 900_981]
    private static let administratorCode = "admin_consent_required"

    /// - Parameter status: the answer's; 302 for one that came through the browser.
    func cause(status: Int) -> IdentityError.Cause {
        // Nothing that the worker does helps, though Entra ID calls it `consent_required` too.
        if !Self.administratorNeeded.isDisjoint(with: numbers) || [code, suberror].contains(Self.administratorCode) {
            return .rejected(code: Self.administratorCode, status: status)
        }
        if status == 429 || status >= 500 { return .unavailable(status: status) }
        switch code {
        case "access_denied", "authorization_declined": return .denied
        case "expired_token", "code_expired": return .expired
        case "temporarily_unavailable": return .unavailable(status: 503)
        case "server_error" where status < 400: return .unavailable(status: 500)
        default: break
        }
        if !Self.consentMissing.isDisjoint(with: numbers) { return .interactionRequired(code: "consent_required") }
        if Self.resolvable.contains(suberror) { return .interactionRequired(code: suberror) }
        if Self.interaction.contains(code) { return .interactionRequired(code: code) }
        return .rejected(code: code, status: status)
    }

    /// AADSTS50034, 500341 and 50057: the account was never there, was deleted or is disabled.
    static let accountGone: Set<Int> = [50034, 500_341, 50057]
    /// AADSTS50173: the worker's sessions were revoked, or their password has changed; 70043: the tenant wants a sign-in more
    /// often.
    static let sessionEnded: Set<Int> = [50173, 70043]

    func identityError(status: Int, correlationID: String) -> IdentityError {
        var error = IdentityError(
            cause(status: status), correlationID: correlationID, errorCodes: numbers, subError: suberror)
        error.claims = claims
        return error
    }

    private static func isSecret(_ field: (name: String, value: String)) -> Bool {
        field.value.utf8.count >= 16 && !["grant_type", "scope", "claims"].contains(field.name)
    }

    /// Without codes that repeat what was sent: some servers put a request's field into their error.
    func withoutEcho(of form: [(name: String, value: String)]) -> OAuthError {
        var error = self
        let isEcho = { (text: String) in
            text.utf8.count >= 16 && form.contains { $0.value.contains(text) && $0.name != "grant_type" }
        }
        if isEcho(code) { error.code = "" }
        if isEcho(suberror) { error.suberror = "" }
        // An app is told them.
        if let claims, form.contains(where: { Self.isSecret($0) && claims.text.contains($0.value) }) {
            error.claims = nil
        }
        return error
    }
}
