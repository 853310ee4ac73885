/// How the containment of an app ended.
public enum ContainmentOutcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// Its processes are gone, its directories wiped and looked at again.
    case contained
    /// Its processes are gone; no directory is known.
    case stopped
    case failed
}
