/// What the administrator says of one app: `apps.d/<app-id>.yaml`.
public struct AppSettings: Sendable, Hashable {
    public enum ParticipationRequirement: String, Sendable, CaseIterable { case required, optional }

    /// What its sandbox shows of the home folder: `~/…`.
    public struct Home: Sendable, Hashable {
        /// Writable and lasting.
        public var keep: [String] = []
        public var readOnly: [String] = []
        /// Writable, and emptied at sign-out.
        public var wipe: [String] = []
    }

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
    public var participant: ParticipationRequirement = .optional
    public var environment: [String: String] = [:]
    public var isSandboxed = true
    public var home = Home()
    /// A session bus of the app's own, which ends with it, and so do the services that it starts. For an app with a sandbox.
    public var hasSessionBus = false
    /// The agent starts it when a worker signs in.
    public var startsAtSignIn = false
    /// A path, or a name of the icon theme.
    public var icon: String?

    public init(id: String) {
        self.id = id
        name = id
    }
}
