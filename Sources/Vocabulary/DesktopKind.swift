/// Whose the desktop is that workers see.
public enum DesktopKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The device's own: it stays, with the apps that clear in place.
    case resident
    /// Each worker's: it starts with the turn, as the turn's user, and ends with it.
    case turn
}
