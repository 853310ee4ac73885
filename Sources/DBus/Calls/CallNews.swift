/// What became of a call that came in.
public enum CallNews: Sendable {
    case came
    /// It was answered with an error.
    case refused
    /// Its caller left the bus before the answer.
    case abandoned
    /// It waits, because its caller has not read the answers that were sent to it.
    case unread
}
