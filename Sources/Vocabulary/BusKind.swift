/// On which message bus batond serves; the words of `GetDeviceInformation`.
public enum BusKind: String, Hashable, Sendable, CaseIterable {
    /// The system's, where a policy says who may say what: an installed terminal.
    case system
    /// That of one user's session, for trying out and for development.
    case session
}
