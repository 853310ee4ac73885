/// What a process does too often, by the words of receipts.
public enum MisuseKind: String, Hashable, Sendable, CaseIterable {
    /// Calls, however they were answered.
    case calls = "TooManyCalls"
    /// Calls that were answered with an error.
    case refusals = "TooManyRefusals"
    /// Calls whose callers left before the answer.
    case abandoned = "TooManyAbandoned"
    /// Calls whose callers had not read the answers to those before.
    case unread = "TooManyUnread"
}
