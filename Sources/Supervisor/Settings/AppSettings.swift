/// What the administrator says of one app: `apps.d/<app-id>.yaml`.
public struct AppSettings: Sendable, Hashable {
    public enum Participation: String, Sendable, CaseIterable { case required, optional }

    public let id: String
    /// The name for people; the id when none is given.
    public var name: String
    /// Program (an absolute path) and arguments with which the agent starts the app; empty: it does not.
    public var command: [String] = []
    /// The systemd unit of the app, instead of a command.
    public var unit: String?
    /// Directories that hold a worker's data: absolute, or below the kiosk user's home as `~/…`.
    public var wipe: [String] = []
    /// What stays when a directory of `wipe` is emptied.
    public var keep: [String] = []
    public var redirectURI: String?
    public var scopes: [String] = []
    public var participant: Participation = .optional

    public init(id: String) {
        self.id = id
        name = id
    }
}
