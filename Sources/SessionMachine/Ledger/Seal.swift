/// Why the device is quarantined without a sign-out that the journal knows.
public enum Seal: Hashable, Sendable, Codable {
    /// The journal cannot be read; the text says why, and what to do.
    case unreadableJournal(String)
    /// A sign-out ran that could not be written to the journal.
    case unwrittenSignOut
    /// The page of a sign-in may still be open in the browser.
    case openSignInPage
    /// The browser does not show the start page.
    case missingStartPage
    /// Of each turn user something is left, so that no turn can begin.
    case noTurnUser

    /// For people.
    public var explanation: String {
        switch self {
        case .unreadableJournal(let why): why
        case .unwrittenSignOut: "a sign-out could not be written to the journal"
        case .openSignInPage: "the sign-in page could not be closed"
        case .missingStartPage: "the browser does not show the start page"
        case .noTurnUser: "every turn user is out of service; `batonctl doctor` says what is left of each"
        }
    }
}
