/// How a quarantine ended.
public enum ReleaseCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// Everything that was missing is proven now.
    case retry
    case administrator
}
