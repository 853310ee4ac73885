/// What an app says of its clearing.
public enum AcknowledgementOutcome: String, Hashable, Sendable, Codable, CaseIterable {
    case cleared
    case nothingToClear = "nothing-to-clear"
    /// The app could not clear and asks to be contained.
    case failed
}
