internal import BatonContract
internal import Glibc
internal import Processes
internal import Synchronization
import Wiping

/// What a turn left that stands in no list: processes, then files.
final class Strays: Sendable {
    let surroundings: Surroundings
    /// The processes of the apps that take part.
    let listed: @Sendable () async -> Set<Int32>
    /// What was let be for its answer about the sign-out.
    private let waiters = Mutex<[ProcessHandle]>([])

    init(surroundings: Surroundings, listed: @escaping @Sendable () async -> Set<Int32>) {
        self.surroundings = surroundings
        self.listed = listed
    }

    /// Where a user without rights can leave files for the next worker.
    private var roots: [String] { [surroundings.home, "/tmp", "/var/tmp", "/dev/shm"] }

    func clear(
        _ configuration: AgentConfiguration, _ turn: TurnStart?, spared: Set<Int32>, waiting: Set<Int32>,
        limit: TimeLimit
    ) async -> [HolderReport] {
        guard let turn else {
            let why = "nobody knows when the turn began"
            return [
                HolderReport("processes", configuration.strayProcesses == .end ? .failed : .unchecked, why),
                HolderReport("files", configuration.strayFiles == .end ? .failed : .unchecked, why),
            ]
        }
        let processes = StrayProcesses(
            since: turn, user: getuid(), spared: spared.union(await listed()), waiting: waiting)
        let files = StrayFiles(
            roots: roots,
            keep: configuration.keep + StrayFiles.sessionPaths(surroundings.environment) + kept(configuration),
            home: surroundings.home, turn: turn)
        return [
            await clear(processes, turn, configuration.strayProcesses, limit),
            await clear(files, configuration.strayFiles, limit),
        ]
    }

    /// What apps keep, and the one file of many items that has a cleaner of its own: it is rewritten whole at each change.
    private func kept(_ configuration: AgentConfiguration) -> [String] {
        configuration.apps.flatMap { $0.keep + $0.readOnly } + ["~/.local/share/keyrings"]
    }

    private func clear(
        _ strays: StrayProcesses, _ turn: TurnStart, _ what: AgentConfiguration.Strays, _ limit: TimeLimit
    ) async -> HolderReport {
        let name = "processes"
        guard what == .end else {
            guard let found = await strays.look() else { return HolderReport(name, .unchecked, "/proc cannot be read") }
            return HolderReport(name, .unchecked, found.isEmpty ? "none in no list" : "left alone: \(words(found))")
        }
        let report = await strays.end(limit: limit)
        if let fault = report.fault { return HolderReport(name, .failed, fault) }
        let ended = report.found.isEmpty ? "" : "ended: \(words(report.found))"
        guard !report.waiting.isEmpty else {
            return HolderReport(name, .clean, ended.isEmpty ? "none in no list" : ended)
        }
        let pinned = report.waiting.compactMap { ProcessHandle(pid: $0.pid) }
            .filter { $0.user == getuid() && $0.started >= turn.ticks }
        waiters.withLock { $0 = $0.filter { !$0.isGone } + pinned }
        let left = "let be, since it waits for this sign-out: \(words(report.waiting))"
        return HolderReport(name, .unchecked, ended.isEmpty ? left : "\(ended); \(left)")
    }

    /// Ends what has had its answer about the last sign-out and is still there when the next worker comes.
    func endWaiters(limit: TimeLimit) async {
        let ours = await listed()
        let left = waiters.withLock { waiters in
            defer { waiters = [] }
            return waiters.filter { !$0.isGone && !ours.contains($0.pid) }
        }
        guard !left.isEmpty else { return }
        _ = await OwnThread.run(limit: limit) { ProcessTree.stop(left, excluding: ours, notes: nil, limit: limit) }
    }

    private func words(_ strays: [Stray]) -> String {
        let shown = strays.prefix(8).map(\.description).joined(separator: ", ")
        return shown + (strays.count > 8 ? " and \(strays.count - 8) more" : "")
    }

    private func clear(
        _ files: StrayFiles, _ what: AgentConfiguration.Strays, _ limit: TimeLimit
    ) async -> HolderReport {
        let name = "files"
        // Only to be named, they are not worth making anybody wait.
        let report =
            what == .end ? await files.end(limit: limit) : await files.look(limit: TimeLimit(.milliseconds(200)))
        let places = report.places.map { "\($0.path) (\($0.count))" }.joined(separator: ", ")
        guard what == .end else {
            let words = report.count == 0 ? "none of the turn" : "left alone: \(places)"
            let isWhole = report.isClean || report.count > 0
            return HolderReport(name, .unchecked, words + (isWhole ? "" : ", as far as was seen"))
        }
        if let why = report.explanation { return HolderReport(name, .failed, why) }
        return HolderReport(name, .clean, report.count == 0 ? "none of the turn" : "removed: \(places)")
    }
}
