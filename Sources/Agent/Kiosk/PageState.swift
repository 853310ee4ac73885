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
    var apps: [App] = []
    /// A line for the worker, such as why a sign-in failed.
    var message = ""
    /// After how many milliseconds without input the fields empty themselves; 0: never.
    var leftAfter = 0
    /// Seconds until an automatic sign-out; nil: none is pending.
    var secondsLeft: Int?
}
