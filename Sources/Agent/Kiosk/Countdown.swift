import Display
import Presentation
import Vocabulary

/// What a worker is told before an automatic sign-out.
struct Countdown: Sendable, Equatable {
    /// To what a panel counts by itself, CLOCK_BOOTTIME in microseconds.
    var end: UInt64 = 0
    var secondsLeft: Int
    var reason: SignOutReason?
    /// Who will be signed out; empty: it is not known.
    var name: String
    var language = Language.english

    private static let longestName = 40

    private var texts: WorkerTexts { .of(language) }

    /// A large line, a small one, and what the button says; of the large one only the number changes.
    var counted: CountedLines {
        let parts = titleParts
        return CountedLines(end: end, before: parts.before, after: parts.after, more: [cause, stay])
    }

    var title: String {
        let parts = titleParts
        return parts.before + "\(secondsLeft)" + parts.after
    }

    /// Taken apart before a name is put in, which may look like the place of the number.
    private var titleParts: (before: String, after: String) {
        let text = name.isEmpty ? texts.countdownNameless : texts.countdown
        guard let place = text.firstRange(of: "{seconds}") else { return (text, "") }
        // The number comes after it, and has to be read. A letter may have any number of marks, each of which counts.
        let scalars = name.unicodeScalars
        let short = scalars.count > Self.longestName ? String(scalars.prefix(Self.longestName - 1)) + "…" : name
        let filled = { (part: Substring) in WorkerTexts.filled(String(part), ["name": short]) }
        return (filled(text[..<place.lowerBound]), filled(text[place.upperBound...]))
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
