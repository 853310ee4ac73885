/// What wiping one directory came to.
public struct WipeReport: Sendable, Equatable {
    /// Something that stands in the way of an empty directory.
    public struct Problem: Sendable, Hashable {
        public init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }

        public var path: String
        public var reason: String
    }

    /// The reason where a wipe was cut short.
    package static let ranOut = "timed out"

    public var root: String
    /// How many files and directories were removed.
    public var removed: Int
    /// At most 32; `moreProblems` counts the others.
    public var problems: [Problem] = []
    public var moreProblems = 0
    /// Looked at again after the wiping: nothing is there but what is to be kept.
    public var isEmpty: Bool

    public init(root: String, removed: Int = 0, isEmpty: Bool = false) {
        self.root = root
        self.removed = removed
        self.isEmpty = isEmpty
    }

    /// Nil when the directory is proven empty.
    public var explanation: String? {
        if isEmpty { return nil }
        guard let first = problems.first else { return "\(root): not empty" }
        let more = problems.count - 1 + moreProblems
        return "\(first.path): \(first.reason)" + (more > 0 ? " (and \(more) more)" : "")
    }

    package mutating func add(_ path: String, _ reason: String) {
        if problems.count < 32 {
            problems.append(Problem(path: path, reason: reason))
        } else {
            moreProblems += 1
        }
    }
}
