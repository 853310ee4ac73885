/// How it is known that nothing of a program runs any more, the strongest first; the words of receipts.
public enum Proof: String, Hashable, Sendable, Codable, CaseIterable {
    /// The slice of the turn has no process left: all of the turn's programs ran as its user, in there.
    case slice
    /// The first process of its pid namespace was reaped, which the kernel does only after all others.
    case namespace
    /// Its control group has no process left.
    case cgroup
    /// The subreaper under which it ran has no child left.
    case tree
    /// The processes that could be found are gone; one that hid would not have been found.
    case pid
}
