import Clearing
import Glibc
import LinuxSystem
import Wiping

/// The two ways to empty a folder, which share a walk and the tests of it: all of it, and what a turn left, here one that began
/// before everything.
enum Cleaner: CaseIterable, Sendable {
    case wipe, turn

    struct Result {
        var isEmpty: Bool
        var removed: Int
        var explanation: String?
        var reasons: [String]
    }

    /// How often to try when somebody interferes: each look at a tree that moves about begins anew up to 32 times.
    var rounds: Int { self == .wipe ? 100 : 10 }

    func clean(_ root: String, keep: [String] = [], _ limit: TimeLimit) -> Result {
        switch self {
        case .wipe:
            let report = Wipe(root: root, keep: keep, homes: []).perform(limit: limit)
            return Result(
                isEmpty: report.isEmpty, removed: report.removed, explanation: report.explanation,
                reasons: report.problems.map(\.reason))
        case .turn:
            let paths = keep.map { $0.hasPrefix("/") ? $0 : root + "/" + $0 }
            let files = StrayFiles(
                roots: [root], keep: paths, home: "/nonexistent", turn: TurnStart(wall: 0, ticks: 0))
            let report = files.perform(limit: limit)
            return Result(
                isEmpty: report.isClean, removed: report.removed, explanation: report.explanation,
                reasons: report.problems.map(\.reason))
        }
    }
}
