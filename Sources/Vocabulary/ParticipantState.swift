/// Where an app stands, by the words of `List`.
public enum ParticipantState: String, Hashable, Sendable, CaseIterable {
    case clean
    case inUse = "in-use"
    case clearing, containing, cleared, contained, owed, unproven
    /// It said `Leave`.
    case left
    /// It left the bus without saying so.
    case gone
}
