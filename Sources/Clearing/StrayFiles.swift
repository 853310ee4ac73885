public import Glibc
public import LinuxSystem
import Wiping

/// The files and folders that one user made or changed during a turn, below roots that others share: home, `/tmp`.
///
/// The walk is that of `Wipe`: it never leaves a root, follows nothing and needs no recursion.
public struct StrayFiles: Sendable {
    private let roots: [String]
    private let keep: [String]
    private let home: String
    private let user: uid_t
    private let turn: TurnStart

    /// What belongs to the session and to Baton itself in any home folder.
    public static let alwaysKept = ["~/.Xauthority", "~/.ICEauthority", "~/.config/baton", "~/.local/state/baton"]

    /// - Parameters:
    ///   - roots: Absolute paths of real folders; one that is not there is skipped, and so is one below another.
    ///   - keep: Absolute paths or `~/…`; a folder keeps all below it.
    ///   - home: What `~` means.
    public init(
        roots: [String], keep: [String] = [], alwaysKept: [String] = StrayFiles.alwaysKept, home: String,
        user: uid_t = getuid(), turn: TurnStart
    ) {
        let plain = roots.map(Self.plain)
        self.roots = Set(plain).filter { root in !plain.contains { root.hasPrefix($0 + "/") } }.sorted()
        self.keep = keep + alwaysKept
        self.home = Self.plain(home)
        self.user = user
        self.turn = turn
    }

    /// What a session's environment names and programs need while it lasts: runtime folder, bus socket, X and ICE keys.
    public static func sessionPaths(_ environment: [String: String]) -> [String] {
        let bus = sockets(environment["DBUS_SESSION_BUS_ADDRESS"] ?? "")
        let named = ["XDG_RUNTIME_DIR", "XAUTHORITY", "ICEAUTHORITY"].compactMap { environment[$0] }
        return (named + bus).filter { $0.hasPrefix("/") }
    }

    /// Where a bus listens, as its address says: `unix:path=/run/user/1000/bus,guid=…`; other transports have no file.
    package static func sockets(_ address: String) -> [String] {
        address.split(separator: ";").compactMap { one in
            one.split(separator: ",").first { $0.hasPrefix("unix:path=") }.map { String($0.dropFirst(10)) }
        }
    }

    /// Counts them and changes nothing.
    public func look(limit: TimeLimit) async -> StrayFilesReport {
        await OwnThread.run(limit: limit) { walk(isLook: true, limit) } ?? .late
    }

    /// Removes them, then looks again.
    public func end(limit: TimeLimit) async -> StrayFilesReport {
        await OwnThread.run(limit: limit) { perform(limit: limit) } ?? .late
    }

    /// `end` on the calling thread, which it blocks.
    public func perform(limit: TimeLimit) -> StrayFilesReport {
        var report = StrayFilesReport()
        // A second pass takes what was written or moved about meanwhile.
        for _ in 1...2 {
            let pass = walk(isLook: false, limit)
            report.taken.add(pass.taken)
            report.removed += pass.removed
            let again = walk(isLook: true, limit)
            report.remaining = again.taken.count
            report.problems = pass.problems.isEmpty ? again.problems : pass.problems
            report.kept = again.kept
            if again.problems.isEmpty && again.taken.count == 0 {
                // What the walk met but is gone by now is no fault.
                report.problems = []
                return report
            }
            if limit.isOver || pass.removed == 0 { break }
        }
        return report
    }

    private func walk(isLook: Bool, _ limit: TimeLimit) -> StrayFilesReport {
        var report = StrayFilesReport()
        let filter = TurnFilter(user: user, since: turn.wall, isLook: isLook)
        for root in roots {
            let kept: KeptPaths
            switch keptPaths(below: root) {
            case .everything:
                report.kept.append(root)
                continue
            case .paths(let paths): kept = paths
            case .wrong:
                report.add([.init(path: root, reason: "a path to keep is not a plain one")])
                continue
            }
            switch WipeRoot.open(root) {
            case .missing: continue
            case .refused(let reason): report.add([.init(path: root, reason: reason)])
            case .open(let stream):
                var walk = WipeWalk(root: root, stream: stream, kept: kept, limit: limit, filter: filter)
                walk.run()
                report.taken.add(walk.taken)
                report.removed += walk.report.removed
                report.add(walk.report.problems)
                report.moreProblems += walk.report.moreProblems
            }
        }
        if isLook { report.remaining = report.taken.count }
        return report
    }

    private enum Kept {
        case everything, wrong
        case paths(KeptPaths)
    }

    private func keptPaths(below root: String) -> Kept {
        var below: [String] = []
        for path in keep {
            let path = Self.plain(path == "~" || path.hasPrefix("~/") ? home + path.dropFirst() : path)
            if !path.hasPrefix("/") || path.split(separator: "/").contains("..") { return .wrong }
            if path == "/" || path == root || root.hasPrefix(path + "/") { return .everything }
            if path.hasPrefix(root + "/") { below.append(path) }
        }
        return KeptPaths(below, below: root).map(Kept.paths) ?? .wrong
    }

    /// Without double and trailing slashes, so that paths can be compared.
    private static func plain(_ path: some StringProtocol) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        return path.hasPrefix("/") ? "/" + parts : parts
    }
}
