/// What a check at sign-out found.
public enum CheckOutcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing of the kind is managed.
    case none
    case clean
    /// No check was made, and the settings allow that.
    case unchecked
    case failed
}
