/// A setting that has a value, and where that is from.
public struct SettingsValue: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case text(String)
        case list([String])
        /// Keys and lists of its own, such as accounts with the hashes of their PINs: not shown.
        case structure
    }

    /// Such as `barrier.soft`.
    public let key: String
    public let value: Content
    /// The file's path, or where else the value came from: `environment BATON_BARRIER_SOFT`.
    public let origin: String
    /// Counted from 1; nil where the origin has no lines.
    public let line: Int?
}

/// What the value of a key can be.
enum SettingsKind: Sendable, Hashable {
    case word([String])
    case flag
    case count(ClosedRange<Int>)
    /// One value, with the words that say what is expected.
    case value(String)
    case list(String)
    case structure
}
