import Identity
import Logging

extension OpenIDProvider {
    /// What Entra ID's ID tokens have only where an administrator configured it: the first to log out without a page that
    /// asks whom, the second to hear of a log-out, the third to know how old a sign-in is.
    private static let optionalClaims = ["login_hint", "sid", "auth_time"]

    /// Says once what is not configured there.
    func noteMissingClaims(of signedIn: SignedIn) {
        guard !hasNotedMissingClaims, case .entra = client.settings.authority.kind else { return }
        let missing = Self.optionalClaims.filter { signedIn.claims[$0] == nil }
        guard !missing.isEmpty else { return }
        hasNotedMissingClaims = true
        log.warning(
            "Entra ID's ID tokens lack optional claims; configure them for this client",
            metadata: ["claims": "\(missing.joined(separator: " "))"])
    }
}
