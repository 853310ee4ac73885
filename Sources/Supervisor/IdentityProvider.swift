internal import LocalAccounts
internal import Supervision

/// Whoever knows the workers: all that the supervisor wants of an identity provider.
///
/// A sign-in is cancelled by cancelling its task. It tells who somebody is; whether they may take the device is for the
/// state machine to say.
protocol IdentityProvider: Sendable {
    /// For `GetDeviceInformation`.
    var issuer: String { get }
    var tenant: String { get }

    /// Finds out who somebody is, or refuses.
    func signIn(_ request: SignInRequest) async throws(Refusal) -> Holder
}

/// What the caller of `SignIn` gave.
struct SignInRequest: Sendable {
    var username: String?
    var pin: Secret?
}
