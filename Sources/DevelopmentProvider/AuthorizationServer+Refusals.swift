import WebText

/// What is refused on demand.
extension AuthorizationServer {
    /// What `claims-on-refresh` wants of a page, written as Entra ID writes it.
    static let demandedClaims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#

    static func meetDemand(_ claims: JSONValue?) -> Bool {
        claims?["access_token"]?["acrs"] == ["essential": true, "value": "c1"]
    }

    /// - Parameter grant: What the refresh token stands for; nil: it is not known.
    func refusalOfRefresh(_ grant: Grant?) -> OAuthFault? {
        if misconduct.contains(.invalidGrantOnRefresh) { return .invalidGrant("The refresh token was revoked.") }
        if misconduct.contains(.invalidRequestOnRefresh) { return .invalidRequest("The refresh token is not one.") }
        if misconduct.contains(.interactionRequiredOnRefresh) {
            return OAuthFault(
                "interaction_required", "The person must sign in again.", number: 50_076, suberror: "basic_action")
        }
        if misconduct.contains(.claimsOnRefresh), grant?.meetsClaims != true {
            return OAuthFault(
                "interaction_required", "The person must authenticate more strongly.", number: 50_079,
                suberror: "basic_action", claims: Self.demandedClaims)
        }
        if misconduct.contains(.consentRequired) {
            return layout.kind.speaksMicrosoft
                ? OAuthFault(
                    "invalid_grant", "The person must consent.", number: 65_001, suberror: "consent_required")
                : OAuthFault("consent_required", "The person must consent.")
        }
        if misconduct.contains(.adminConsentRequired) { return administratorWanted }
        if misconduct.contains(.accountGoneOnRefresh) {
            return .invalidGrant("The account was removed from the directory.", number: 500_341)
        }
        if misconduct.contains(.sessionRevokedOnRefresh) {
            return .invalidGrant("The grant was revoked; a fresh one is needed.", number: 50_173)
        }
        if misconduct.contains(.signInFrequencyOnRefresh) {
            return .invalidGrant("The sign-in is older than the tenant allows.", number: 70_043)
        }
        return nil
    }

    /// Only an administrator of the tenant could say yes.
    var administratorWanted: OAuthFault {
        layout.kind.speaksMicrosoft
            ? OAuthFault(
                "invalid_grant", "An administrator must consent.", number: 90_094, suberror: "consent_required")
            : OAuthFault("admin_consent_required", "An administrator must consent.")
    }

    func refusal(ofScopes scopes: [String]) -> OAuthFault? {
        guard misconduct.contains(.noOfflineAccess), scopes.contains("offline_access") else { return nil }
        return OAuthFault("invalid_scope", "The scope offline_access is not known.", number: 70_011)
    }
}
