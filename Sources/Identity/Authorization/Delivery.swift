/// What became of a redirect that a caller brought.
public enum Delivery: String, Sendable, Hashable {
    /// It belongs to a pending sign-in, which goes on with it.
    case accepted
    /// No sign-in waits for it, or it is no redirect at all.
    case unknown
}
