/// How one app ended in a sign-out.
public enum ParticipantOutcome: String, Hashable, Sendable, Codable, CaseIterable {
    case cleared
    /// It said so itself.
    case nothingToClear = "nothing-to-clear"
    /// It was stopped and its data wiped.
    case contained
    /// Its processes are gone; it must clear before it gets anything.
    case owed
    /// Nothing is known of it, and the device is quarantined for that.
    case unproven
}
