/// What the kernel says of a turn's slice after all in it was killed.
public enum TurnEnd: Hashable, Sendable {
    /// No process is in it.
    case empty
    /// A process is still in it, although it was killed.
    case populated
    /// The kernel was not heard; the text is why.
    case unknown(String)
}
