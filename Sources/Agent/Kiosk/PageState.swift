import Vocabulary

/// What the start page shows.
struct PageState: Sendable, Equatable, Encodable {
    struct App: Sendable, Equatable, Encodable {
        var id: String
        var name: String
        var hasIcon: Bool
    }

    /// The words of the bus contract, and `away` while there is no supervisor.
    var phase = "away"
    /// `local`: the page asks for user name and PIN. `oidc`: the provider's page does.
    var identity = ""
    /// Whose turn it is, as people know them; empty: no worker's.
    var name = ""
    var username = ""
    /// Since when they hold the device; Unix time in milliseconds.
    var since: Int64?
    var apps: [App] = []
    /// A line for the worker, such as why a sign-in failed: the name of a text, or the text itself.
    var message = ""
    /// After how many milliseconds without input the fields empty themselves; 0: never.
    var leftAfter = 0
    /// Workers may sign in with another device.
    var offersPhone = false
    /// One that waits for it.
    var phone: PhoneSignIn?
    /// Who may come back, on the page of a free device.
    var recent: [RecentTiles.Tile] = []
    /// The page has keys of its own.
    var hasKeys = false
    /// The terminal itself, line by line.
    var about: [String] = []
    /// For people who write apps; nil: the page has no such part.
    var developer: DeveloperLog?
    /// The worker can cover the screen until they are back.
    var canLock = false
    /// When an automatic sign-out comes, Unix time in milliseconds; nil: none is pending. The page counts by itself, or each second would
    /// wake page, browser and agent.
    var countdownEnds: Int64?
    /// Why: the name of a text.
    var cause = ""
    /// Of the worker, or where theirs is not known; another may be chosen on the page of a free device.
    var language = Language.english.rawValue
    /// What the device is called; empty: the language's own words.
    var site = ""
    /// Whom to call when it is out of service.
    var contact = ""
    /// Whose turn has just ended; nil: that is a while ago.
    var ended: EndedTurn?
}
