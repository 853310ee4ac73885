import Glibc
public import LinuxSystem

/// Empties a directory without ever leaving it; the directory itself stays.
///
/// Symbolic links are removed and never followed, hard links lose their name here and nothing else, mounts are
/// not entered but reported, and nothing that is swapped meanwhile leads out of the root. Afterwards the
/// directory is looked at again.
public struct Wipe: Sendable {
    /// An absolute path to a real directory that belongs to this user.
    public let root: String
    /// Files and directories below the root that stay, relative to it or absolute.
    public let keep: [String]
    private let homes: [String]

    /// - Parameter homes: Home folders, which are refused as roots, as is everything above them.
    public init(root: String, keep: [String] = [], homes: [String] = Wipe.homesOfThisUser) {
        self.root = root
        self.keep = keep
        self.homes = homes
    }

    /// The home folder from the user database and the one in the environment.
    public static var homesOfThisUser: [String] {
        var result: [String] = []
        if let home = UserAccount(id: getuid())?.home {
            result.append(home)
        }
        if let home = getenv("HOME") {
            result.append(String(cString: home))
        }
        return result
    }

    /// Without those whose directories others empty anyway: two at work in one place would be in each other's way.
    public static func outermost(_ wipes: [Wipe]) -> [Wipe] {
        func lies(_ path: String, in folder: String) -> Bool { path == folder || path.hasPrefix(folder + "/") }
        return wipes.enumerated().filter { place, wipe in
            !wipes.enumerated().contains { other, outer in
                guard other != place, lies(wipe.root, in: outer.root), outer.root != wipe.root || other < place else {
                    return false
                }
                // What the outer one keeps it leaves to this one.
                return !outer.keep.contains { lies(wipe.root, in: $0.hasPrefix("/") ? $0 : outer.root + "/" + $0) }
            }
        }.map(\.element)
    }

    /// Why this directory could not be wiped, whatever is in it; nil: nothing is in the way, or it is not there.
    package var refusal: String? {
        guard KeptPaths(keep, below: root) != nil else { return "a path to keep is not below it" }
        if case .refused(let reason) = openRoot() { return reason }
        return nil
    }

    /// Wipes on a thread of its own; cancelling the task ends it early. A file system that hangs does not
    /// hold the answer much beyond the limit.
    public func run(limit: TimeLimit) async -> WipeReport {
        await OwnThread.run(limit: limit) { perform(limit: limit) } ?? failure("timed out, or no thread was left")
    }

    /// The same on the calling thread, which it blocks.
    public func perform(limit: TimeLimit) -> WipeReport {
        var report = WipeReport(root: root)
        guard let kept = KeptPaths(keep, below: root) else { return failure("a path to keep is not below it") }
        // A second pass takes what was written or moved about meanwhile; a third one would meet a writer at work.
        for pass in 1...2 {
            let stream: DirectoryStream
            switch openRoot() {
            case .missing:
                report.isEmpty = report.problems.isEmpty
                return report
            case .refused(let reason):
                report.add(root, reason)
                return report
            case .open(let found):
                stream = found
            }
            var walk = WipeWalk(root: root, stream: stream, kept: kept, limit: limit)
            walk.run()
            report.removed += walk.report.removed
            report.problems = walk.report.problems
            report.moreProblems = walk.report.moreProblems
            if lookAgain(after: stream, kept, &report) {
                report.isEmpty = true
                return report
            }
            if limit.isOver || (pass == 1 && walk.report.removed == 0) { break }
        }
        return report
    }

    /// Opens the root anew: the same directory, with nothing in it but what is kept.
    private func lookAgain(after wiped: DirectoryStream, _ kept: KeptPaths, _ report: inout WipeReport) -> Bool {
        guard case .open(let stream) = openRoot(), stream.isSame(as: wiped) else {
            report.add(root, "replaced while it was wiped")
            return false
        }
        // What the walk met but is gone by now is no fault.
        var look = WipeLook(root: root, stream: stream, kept: kept)
        if look.findsNothing() {
            return true
        }
        if report.problems.isEmpty {
            report.add(look.found ?? root, "still there")
        }
        return false
    }

    private func openRoot() -> WipeRoot {
        let found = WipeRoot.open(root)
        guard case .open(let stream) = found else { return found }
        if stream.owner != getuid() { return .refused("belongs to another user") }
        if isHome(stream) { return .refused("a home folder or above one") }
        return found
    }

    private func isHome(_ stream: DirectoryStream) -> Bool {
        for home in homes where home.hasPrefix("/") {
            var path = home
            var above: stat?
            var status = stat()
            // Up to the top, which is its own parent.
            while stat(path, &status) == 0, path.utf8.count < Int(PATH_MAX) {
                if status.st_dev == stream.device && status.st_ino == stream.inode { return true }
                if let above, above.st_dev == status.st_dev, above.st_ino == status.st_ino { break }
                above = status
                path += "/.."
            }
        }
        return false
    }

    private func failure(_ reason: String) -> WipeReport {
        var report = WipeReport(root: root)
        report.add(root, reason)
        return report
    }
}
