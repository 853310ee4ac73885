import Vocabulary

/// What a worker is told before an automatic sign-out.
struct Countdown: Sendable, Equatable {
    var secondsLeft: Int
    var reason: SignOutReason?
    /// Who will be signed out; empty: it is not known.
    var name: String

    /// A large line, a small one, and what the button says.
    var lines: [String] { [title, cause, "I am still here"] }

    var title: String {
        let time = "\(secondsLeft) \(secondsLeft == 1 ? "second" : "seconds")"
        return name.isEmpty ? "Sign-out in \(time)" : "\(name): sign-out in \(time)"
    }

    var cause: String {
        switch reason {
        case .idle: "Nothing was touched on this device for a while."
        case .expired: "This turn has lasted as long as it may."
        default: "This device signs out automatically."
        }
    }
}
