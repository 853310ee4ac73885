import Presentation
import Vocabulary

/// What a worker is told before an automatic sign-out.
struct Countdown: Sendable, Equatable {
    var secondsLeft: Int
    var reason: SignOutReason?
    /// Who will be signed out; empty: it is not known.
    var name: String
    var language = Language.english

    private var texts: WorkerTexts { .of(language) }

    /// A large line, a small one, and what the button says.
    var lines: [String] { [title, cause, stay] }

    var title: String {
        let values = ["name": name, "seconds": "\(secondsLeft)"]
        return WorkerTexts.filled(name.isEmpty ? texts.countdownNameless : texts.countdown, values)
    }

    var stay: String { texts.stay }

    var cause: String { reasonText.text }

    /// The cause, as the start page takes it.
    var causeName: String { reasonText.name }

    private var reasonText: (name: String, text: String) {
        switch reason {
        case .idle: ("idleCause", texts.idleCause)
        case .expired: ("turnCause", texts.turnCause)
        default: ("otherCause", texts.otherCause)
        }
    }
}
