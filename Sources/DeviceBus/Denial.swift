import BatonContract

/// Why a caller may not act as an administrator; the log has its word.
package enum Denial: String, Error, Sendable {
    /// The settings do not name them, and polkit is not asked on this bus.
    case notNamed = "not-named"
    /// A program of the kiosk user or of a worker. None of them is ever an administrator's, whatever polkit would say.
    case terminal = "user-of-the-terminal"
    /// polkit says no.
    case refused = "polkit-refused"
    /// polkit wants to see a password first, and there is no agent that asks for one, or the call does not allow it.
    case unauthenticated = "polkit-not-authenticated"
    /// The person who was asked did not want to.
    case dismissed = "polkit-dismissed"
    /// There is no polkit.
    case absent = "polkit-absent"
    case timedOut = "polkit-timed-out"
    /// An error, a nonsensical answer, or none since polkit ended.
    case failed = "polkit-failed"
    /// Too many questions are open.
    case busy = "polkit-busy"
    /// The caller left while polkit was asked.
    case left = "caller-left"

    var error: BatonError {
        switch self {
        case .busy: BatonError(.limitExceeded, "polkit is asked too much at once. Try again a little later.")
        default: BatonError(.notAuthorized, "Only an administrator of this device may do that." + addition)
        }
    }

    private var addition: String {
        switch self {
        case .notNamed, .busy: ""
        case .terminal: " No program of the kiosk user or of a worker is one."
        case .refused: " The settings do not name you, and polkit refuses it."
        case .unauthenticated:
            " The settings do not name you, and polkit asks for authentication: call from a terminal or a session with an"
                + " agent of polkit, and allow interaction."
        case .dismissed: " polkit asked for authentication, which was not given."
        case .absent: " The settings do not name you, and this machine has no polkit."
        case .timedOut: " polkit did not say in time whether you are one."
        case .failed: " polkit could not say whether you are one; batond's log has the cause."
        case .left: " The caller has left."
        }
    }
}
