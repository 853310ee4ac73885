/// How much the page of a free terminal shows of the workers who were there before; the words of `start-page.recent`.
public enum RecentWorkers: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case off
    /// The first letters of their names.
    case initials
    case names
}
