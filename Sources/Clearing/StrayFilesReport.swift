public import Wiping

/// What became of a turn's files outside the places that are cleared anyway.
public struct StrayFilesReport: Sendable, Equatable {
    public struct Place: Sendable, Equatable {
        /// A root, or a folder in one that was there before the turn. Names below can be personal.
        public var path: String
        public var count: Int

        public init(_ path: String, _ count: Int) {
            self.path = path
            self.count = count
        }
    }

    /// What the filter took: of a look what is there, else what was met.
    var taken = VisitedPaths()
    public internal(set) var removed = 0
    /// Seen when looked at again.
    public internal(set) var remaining = 0
    /// The roots that are kept whole and so were not looked at.
    public internal(set) var kept: [String] = []
    /// Paths as in `places`, and at most 32.
    public internal(set) var problems: [WipeReport.Problem] = []
    var moreProblems = 0

    /// How many files and folders of the turn were met.
    public var count: Int { taken.count }

    /// Where they lay, the fullest places first; at most eight.
    public var places: [Place] {
        let sorted = taken.places.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        return sorted.prefix(8).map { Place($0.key, $0.value) }
    }

    /// Looked at completely, and nothing of the turn is there.
    public var isClean: Bool { remaining == 0 && problems.isEmpty }

    /// Nil when clean.
    public var explanation: String? {
        if isClean { return nil }
        guard let first = problems.first else { return "\(remaining) files or folders of the turn are there" }
        let more = problems.count - 1 + moreProblems
        return "\(first.path): \(first.reason)" + (more > 0 ? " (and \(more) more)" : "")
    }

    mutating func add(_ more: [WipeReport.Problem]) {
        let room = max(0, 32 - problems.count)
        problems += more.prefix(room)
        moreProblems += max(0, more.count - room)
    }

    static let late: StrayFilesReport = {
        var report = StrayFilesReport()
        report.problems = [.init(path: "files", reason: "timed out, or no thread was left")]
        return report
    }()
}
