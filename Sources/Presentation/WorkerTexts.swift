public import Vocabulary

/// What workers read on the terminal, in one language. Each text has to be in each: one that is missing does not compile.
///
/// `{name}` and the like stand for what `filled` puts there. There are no plurals, which some languages have four of: a time is a
/// number with its unit.
public struct WorkerTexts: Sendable, Hashable, Encodable {
    /// What the terminal is called unless the settings name it.
    public let terminal: String
    /// No worker holds the terminal.
    public let free: String
    /// The session service is not there.
    public let away: String
    /// A worker is signing in at another program or the provider.
    public let signingIn: String
    /// The worker before is being signed out.
    public let signingOut: String
    /// Apps that have not cleared yet: `{apps}`.
    public let waitingFor: String
    /// No worker can sign in.
    public let outOfService: String
    /// Whom to call: `{contact}`.
    public let call: String
    /// The same if the settings name no contact.
    public let callAdministrator: String
    /// The worker reads their own name above it.
    public let signedIn: String
    /// Since when they hold the terminal: `{time}`.
    public let since: String
    public let username: String
    public let pin: String
    public let signIn: String
    /// The button for a sign-in on another device.
    public let phone: String
    /// What to do there: `{url}`.
    public let phoneHint: String
    /// Until when the code can be used: `{time}`.
    public let phoneEnd: String
    public let cancel: String
    /// The button that ends a countdown.
    public let stay: String
    public let signOut: String
    /// What signing out does.
    public let signOutEffect: String
    /// Covers the screen until the worker is back.
    public let lock: String
    /// The worker's name stands below it.
    public let locked: String
    public let lockHint: String
    /// The same where there is no PIN, but a phone.
    public let lockPhoneHint: String
    /// In place of the hint, where nothing but a sign-out shows the screen again.
    public let lockWithoutPIN: String
    public let lockWrongPIN: String
    /// When the worker is signed out: `{time}`.
    public let lockEnd: String
    /// The button with which the worker comes back.
    public let back: String
    /// The same where there is no PIN, but a phone.
    public let backByPhone: String
    /// A phone, on a key as small as that of a digit.
    public let phoneKey: String
    /// The button for the next one: `{name}` is signed out.
    public let somebodyElse: String
    /// Where the worker's account has no PIN here.
    public let choosePIN: String
    /// The button for those who choose none.
    public let withoutPIN: String
    /// The workers of the last turns, one of whom may come back.
    public let recent: String
    /// The button for a worker who is not among them.
    public let otherName: String
    /// The keys on the page.
    public let keyboard: String
    public let shift: String
    public let backspace: String
    /// The terminal itself: browser, version and the like.
    public let about: String
    /// The part of the page for people who write apps; below it, the account that a call gave, and a log.
    public let developer: String
    public let developerAccount: String
    public let developerLog: String
    public let apps: String
    public let search: String
    public let noAppFound: String
    public let language: String
    /// `{name}` and `{seconds}`.
    public let countdown: String
    /// The same if it is not known who holds the terminal: `{seconds}`.
    public let countdownNameless: String
    /// Why the countdown runs.
    public let idleCause: String
    public let turnCause: String
    public let otherCause: String
    /// A sign-out is complete, and all of it was looked at. Below the worker's name.
    public let gone: String
    /// The same, but not all of it: `{what}`.
    public let partly: String
    /// An app has ended and could not say that it cleared.
    public let owed: String
    /// An app did not answer.
    public let contained: String
    /// What a sign-out did not look at, as `ReceiptPlace` has it: parts of `partly`.
    public let placeClipboard: String
    public let placeSignIns: String
    public let placePrintJobs: String
    public let placeFiles: String
    public let placeKeptFiles: String
    public let placeOtherFolders: String
    public let placePrograms: String
    public let placeMemory: String
    public let placeScreen: String
    public let placeBrowser: String
    public let placeOther: String
    /// Part of `waitingFor`: apps that no name is known of.
    public let otherApps: String
    public let wrongPIN: String
    public let heldByAnother: String
    public let busy: String
    public let noWorker: String
    public let providerUnreachable: String
    public let providerRejected: String
    public let noSignInWaits: String
    public let noAnswer: String
    /// A refusal of another kind.
    public let failed: String

    public static func of(_ language: Language) -> WorkerTexts {
        switch language {
        case .english: .english
        case .german: .german
        case .hungarian: .hungarian
        case .czech: .czech
        case .polish: .polish
        case .russian: .russian
        }
    }

    /// - Parameter values: What is put for `{key}`; as they are, whatever stands in them.
    public static func filled(_ text: String, _ values: [String: String]) -> String {
        var parts = text.split(separator: "{", omittingEmptySubsequences: false)
        let first = parts.removeFirst()
        return parts.reduce(into: String(first)) { done, part in
            guard let end = part.firstIndex(of: "}"), let value = values[String(part[..<end])] else {
                done += "{" + part
                return
            }
            done += value + part[part.index(after: end)...]
        }
    }
}
