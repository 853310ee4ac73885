package import BatonContract
import Checkpoints
import Glibc
package import LinuxSystem
package import Logging
import Synchronization
import Vocabulary

/// What a turn left that stands in no list: processes, then files.
package final class Strays: Sendable {
    private let home: String
    private let environment: [String: String]
    /// The processes of the apps that take part.
    let participants: @Sendable () async -> Set<Int32>
    /// The process that serves the display; nil: there is none, or its socket does not say which it is.
    private let display: @Sendable () async -> Int32?
    private let waitingProcesses: Mutex<WaitingProcesses?>
    private let note: RuntimeNote
    private let log: Logger

    /// - Parameter folder: Where it is noted who was let be for an answer, also by the agent before this one.
    package init(
        home: String, environment: [String: String], folder: String, log: Logger,
        participants: @escaping @Sendable () async -> Set<Int32>,
        display: @escaping @Sendable () async -> Int32? = { nil }
    ) {
        self.display = display
        self.home = home
        self.environment = environment
        self.participants = participants
        self.log = log
        note = RuntimeNote(path: folder + "/waiters")
        waitingProcesses = Mutex(note.read().flatMap(WaitingProcesses.init(text:)))
    }

    /// Where a user without rights can leave files for the next worker.
    private var roots: [String] { [home, "/tmp", "/var/tmp", "/dev/shm"] }

    package func clear(
        _ configuration: AgentConfiguration, _ turn: TurnStart?, spared: Set<Int32>, waiting: Set<Int32>,
        limit: TimeLimit
    ) async -> [HolderReport] {
        let unchecked = UncheckedPlaces(
            environment: environment, kept: configuration.keep + kept(configuration), walked: roots)
        guard let turn else {
            let why = "the beginning of the turn is unknown"
            return [
                HolderReport("processes", configuration.strayProcesses == .end ? .failed : .unchecked, why),
                HolderReport("files", configuration.strayFiles == .end ? .failed : .unchecked, why),
            ] + unchecked.rows
        }
        // What outlived an earlier turn is found as well.
        let earlier = waitingProcesses.withLock { $0?.since }
        let since = earlier.map { $0.ticks < turn.ticks ? $0 : turn } ?? turn
        let processes = StrayProcesses(
            since: since, user: getuid(), spared: spared, waiting: waiting, display: await displayLine())
        let files = StrayFiles(
            roots: roots,
            keep: configuration.keep + StrayFiles.sessionPaths(environment) + kept(configuration),
            home: home, turn: turn)
        return [
            await clear(processes, since, spared, configuration.strayProcesses, limit),
            await clear(files, configuration.strayFiles, limit),
            await row(of: processes),
        ] + unchecked.rows
    }

    private static let cannotTell = "the agent runs as root, whose processes belong to no session"

    /// What runs since before the turn may hold what the worker did with it: named, since only its own word says otherwise.
    private func row(of processes: StrayProcesses) async -> HolderReport {
        let name = "earlier-processes"
        guard processes.canTell else { return HolderReport(name, .unchecked, Self.cannotTell) }
        guard let found = await processes.earlier() else {
            return HolderReport(name, .unchecked, "the list of processes cannot be read")
        }
        return found.isEmpty
            ? HolderReport(name, .clean, "none in no list")
            : HolderReport(name, .unchecked, "ran before the turn, left alone: \(found.named(atMost: 8))")
    }

    /// A display that was restarted in the turn is no worker's, nor is what restarted it.
    private func displayLine() async -> Set<Int32> {
        guard let server = await display() else { return [] }
        return Set(ProcessRecord.line(of: server))
    }

    /// What apps keep, and the one file of many items that has a cleaner of its own: it is rewritten whole at each change.
    private func kept(_ configuration: AgentConfiguration) -> [String] {
        configuration.apps.flatMap { $0.keep + $0.readOnly } + ["~/.local/share/keyrings"]
    }

    private func clear(
        _ strays: StrayProcesses, _ since: TurnStart, _ spared: Set<Int32>, _ what: StrayTreatment,
        _ limit: TimeLimit
    ) async -> HolderReport {
        let name = "processes"
        guard strays.canTell else { return HolderReport(name, .unchecked, Self.cannotTell) }
        guard what == .end else {
            guard let found = await strays.look() else { return HolderReport(name, .unchecked, "/proc cannot be read") }
            return HolderReport(
                name, .unchecked, found.isEmpty ? "none in no list" : "left alone: \(found.named(atMost: 8))")
        }
        let report = await strays.end(limit: limit)
        if let fault = report.fault { return HolderReport(name, .failed, fault) }
        let ended = report.found.isEmpty ? "" : "ended: \(report.found.named(atMost: 8))"
        guard !report.waiting.isEmpty else {
            // Nothing of any turn is left.
            forget(since)
            return HolderReport(name, .clean, ended.isEmpty ? "none in no list" : ended)
        }
        let pinned = report.waiting.compactMap { ProcessHandle(pid: $0.pid) }
            .filter { $0.user == getuid() && $0.started >= since.ticks }
        let all = waitingProcesses.withLock { known in
            let all = WaitingProcesses(since: since, spared: spared, processes: pinned).joined(with: known)
            known = all
            return all
        }
        note.write(all.text)
        let left = "left running, since it waits for this sign-out: \(report.waiting.named(atMost: 8))"
        return HolderReport(name, .unchecked, ended.isEmpty ? left : "\(ended); \(left)")
    }

    /// Ends what has had its answer about the last sign-out and is still there, and what it has left.
    ///
    /// - Parameters:
    ///   - grace: How long it may take to end by itself.
    ///   - next: When the next worker's turn began, in clock ticks since boot: what started later is that worker's.
    package func endWaitingProcesses(grace: Duration = .zero, before next: UInt64 = .max, limit: Duration) async {
        guard let waiting = waitingProcesses.withLock(\.self) else { return }
        await end(of: waiting.processes, limit: TimeLimit(grace))
        // Another call has done it, or a caller waits for another sign-out, whose own end comes.
        let ended = waitingProcesses.withLock { current -> WaitingProcesses? in
            guard var known = current, known.isSame(as: waiting) else { return nil }
            // The second is what ending them may take.
            let now = TurnStart().ticks &+ UInt64(clamping: sysconf(CInt(_SC_CLK_TCK)))
            known.until = known.until ?? min(next, now)
            current = known
            return known
        }
        guard let ended, let until = ended.until else { return }
        note.write(ended.text)
        // A listed app that was started meanwhile is nothing that they left.
        let still = ended.processes.filter { !$0.isGone }
        let newcomers = await participants().subtracting(still.map(\.pid))
        let left = StrayProcesses(
            leftBy: Set(still.map(\.pid)), since: ended.since, until: until, user: getuid(),
            spared: ended.spared.union(newcomers), display: await displayLine())
        checkpoint("before the waiters are ended")
        let report = await left.end(limit: TimeLimit(limit))
        checkpoint("after the waiters were ended")
        guard let fault = report.fault else {
            if waitingProcesses.withLock({ $0?.isSame(as: ended) == true }) { forget(ended.since) }
            return
        }
        // The next sign-out looks for it again, and its receipt says so.
        log.error("something of an earlier turn still runs", metadata: ["fault": "\(fault)"])
    }

    private func end(of processes: [ProcessHandle], limit: TimeLimit) async {
        guard !limit.isOver, processes.contains(where: { !$0.isGone }) else { return }
        _ = await OwnThread.run(limit: limit) { StrayProcesses.awaitEnd(of: processes, limit: limit) }
    }

    private func forget(_ since: TurnStart) {
        let isForgotten = waitingProcesses.withLock { current in
            guard let known = current, known.since.ticks >= since.ticks else { return false }
            current = nil
            return true
        }
        if isForgotten { note.remove() }
    }

    private func clear(
        _ files: StrayFiles, _ what: StrayTreatment, _ limit: TimeLimit
    ) async -> HolderReport {
        let name = "files"
        // Only to be named, they are not worth making a worker wait.
        let report =
            what == .end ? await files.end(limit: limit) : await files.look(limit: TimeLimit(.milliseconds(200)))
        let places = report.places.map { "\($0.path) (\($0.count))" }.joined(separator: ", ")
        guard what == .end else {
            let words = report.count == 0 ? "none of the turn" : "left alone: \(places)"
            let isWhole = report.isClean || report.count > 0
            return HolderReport(name, .unchecked, words + (isWhole ? "" : ", as far as was seen"))
        }
        if let why = report.explanation { return HolderReport(name, .failed, why) }
        let removed = report.count == 0 ? "none of the turn" : "removed: \(places)"
        guard report.kept.isEmpty else {
            return HolderReport(
                name, .unchecked, "\(removed); the settings keep all of \(report.kept.joined(separator: ", "))")
        }
        return HolderReport(name, .clean, removed)
    }
}
