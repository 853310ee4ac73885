/// The program in the kiosk user's session: `agent`.
public struct AgentSettings: Sendable, Hashable {
    /// Nil: the daemon's own user.
    public var user: String?
    public var required = true
    /// Whether batond starts the agent itself.
    public var start: Bool
    /// How long it may be away while a worker holds the device.
    public var grace: Duration = .seconds(10)
    /// Whether an app that the agent started counts as contained when its process ids are all that proves it.
    public var acceptsWeakProof = false

    public init(defaultsFor scope: Settings.Scope) {
        user = scope == .system ? "kiosk" : nil
        start = scope == .session
    }
}
