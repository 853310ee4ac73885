import DBus
import Glibc

/// The token that the agent hands to an app that it starts, as the descriptor whose number `BATON_TOKEN_FD` tells.
enum InheritedToken {
    static let variable = "BATON_TOKEN_FD"

    /// A duplicate; nil for an app that the agent did not start. The app's own children do not inherit either.
    static func take() -> OwnedDescriptor? {
        guard let text = getenv(variable), let number = Int32(String(cString: text)), number > 2,
            fcntl(number, F_SETFD, FD_CLOEXEC) == 0
        else { return nil }
        return OwnedDescriptor(duplicating: number)
    }
}
