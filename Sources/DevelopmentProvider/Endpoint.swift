/// What can be asked for; the names count requests and place misbehaviours.
public enum Endpoint: String, CaseIterable, Sendable {
    case discovery, keys, authorize, token, userinfo, revoke, logout, me
    case pushedAuthorization = "par"
    case deviceAuthorization = "device-authorization"

    // Pages and their forms.
    case deviceUser = "device"
    case deviceSignIn = "device-sign-in"
    case signIn = "login"
    case selection = "select-account"
    case creation = "create-account"
    case consent
    case logoutConfirmation = "confirm-logout"

    case control

    /// Whether a browser shows what comes.
    var isForPeople: Bool {
        switch self {
        case .authorize, .logout, .deviceUser, .deviceSignIn, .signIn, .selection, .creation, .consent,
            .logoutConfirmation:
            true
        default: false
        }
    }
}
