import Checkpoints
import Glibc
public import LinuxSystem

/// Finds and ends what a worker's turn has left running outside of every list: programs that left their app, services that the
/// bus or systemd started for it.
///
/// A chain in which each process starts the next one and ends at once may outrun `end`, which then says what is still there.
///
/// Only processes of this very user count, and only those that started in the turn. Never counted are the agent, what it started
/// and what started it, and all that is spared.
public struct StrayProcesses: Sendable {
    private let start: TurnStart
    private let user: UInt32
    private let spared: Set<Int32>
    private let waiting: Set<Int32>
    private let display: Set<Int32>
    /// Nil: every stray is meant; else only these and orphans.
    private let leavers: Set<Int32>?
    /// Orphans that started later belong to another program; in clock ticks since boot.
    private let last: UInt64

    /// - Parameters:
    ///   - spared: Processes that are let be with all that they started: the bus daemon, the supervisor.
    ///   - waiting: Processes that wait for the sign-out: let be and named, but not what they started, or asking for the
    ///     sign-out would be a way to outlive it.
    ///   - display: The display server and what started it: let be, but not what they started, which are the session's programs.
    public init(
        since start: TurnStart, user: UInt32, spared: Set<Int32> = [], waiting: Set<Int32> = [],
        display: Set<Int32> = []
    ) {
        self.display = display
        self.start = start
        self.user = user
        self.spared = spared
        self.waiting = waiting
        leavers = nil
        last = .max
    }

    /// Those that were let be at the end of the turn, and what they started meanwhile: that has one of them as its parent, or
    /// none any more. What others started is the next worker's, and so are orphans that started after `last`.
    init(
        leftBy leavers: Set<Int32>, since start: TurnStart, until last: UInt64, user: UInt32, spared: Set<Int32>,
        display: Set<Int32>
    ) {
        self.display = display
        self.last = last
        self.start = start
        self.user = user
        self.spared = spared
        self.leavers = leavers
        waiting = []
    }

    /// Whether the user tells a session's processes from others: root has too many of its own.
    var canTell: Bool { user != 0 }

    /// The user's processes that stand in no list and started before the turn, by pid; nil when `/proc` cannot be read.
    func earlier() async -> [Stray]? {
        await OwnThread.run { scan(before: true).map { $0.strays.sorted { $0.pid < $1.pid } } } ?? nil
    }

    /// The strays of this moment, by pid, those that wait among them; nil when `/proc` cannot be read.
    public func look() async -> [Stray]? {
        await OwnThread.run { scan().map { ($0.strays + $0.waiting).sorted { $0.pid < $1.pid } } } ?? nil
    }

    /// Ends strays until two looks in a row find none and miss none, or many find none: on a busy machine every look misses some.
    public func end(limit: TimeLimit) async -> StrayReport {
        await withTaskCancellationHandler {
            await OwnThread.run { endAll(limit: limit) } ?? StrayReport(fault: "no threads left")
        } onCancel: {
            limit.cancel()
        }
    }

    private func endAll(limit: TimeLimit) -> StrayReport {
        var found: [Int32: Stray] = [:]
        var waiting: [Stray] = []
        var emptyLooks = 0
        while emptyLooks < 32 {
            guard let look = scan() else {
                return report(found, waiting, fault: "the list of processes cannot be read")
            }
            waiting = look.waiting
            if look.strays.isEmpty {
                // One that was missed may have started another just before it ended.
                emptyLooks += look.missed == 0 ? 16 : 1
                continue
            }
            emptyLooks = 0
            // Many when something keeps forking: the newest names are as good as any.
            if found.count < 256 { found.merge(look.strays.map { ($0.pid, $0) }) { old, _ in old } }
            if limit.isOver { return report(found, waiting, fault: "still there: " + look.strays.named(atMost: 8)) }
            let handles = seize(sparing: look.spared, limit: limit)
            for process in handles {
                checkpoint("before a stray is ended")
                process.send(SIGKILL)
                checkpoint("after a stray was ended")
            }
            // In short rounds: one that cannot end, as on a dead file system, must not keep the others waiting.
            let round = min(limit.deadline, SuspendingClock.now.advanced(by: .milliseconds(500)))
            Self.awaitEnd(of: handles, limit: TimeLimit(deadline: round))
        }
        return report(found, waiting, fault: nil)
    }

    /// Pins and stops what is no list's, the newest first and again while there is news: in a chain in which each process starts
    /// the next and ends, only the last one is there, and not for long.
    private func seize(sparing spared: Set<Int32>, limit: TimeLimit) -> [ProcessHandle] {
        var held: [ProcessHandle] = []
        // What started the agent is let be, but not all that it started: that is everything.
        var left = spared.subtracting(ProcessRecord.line(of: getpid()).dropFirst())
        var known = spared.union(waiting).union(display)
        let pause = TimeLimit(.milliseconds(200))
        var quiet = 0
        while quiet < 3, !pause.isOver, !limit.isOver, let pids = ProcessRecord.pids() {
            quiet += 1
            for pid in pids where !known.contains(pid) {
                quiet = 0
                guard let process = ProcessHandle(pid: pid), let parent = ProcessRecord(pid: pid)?.parent else {
                    continue
                }
                known.insert(pid)
                if left.contains(parent) {
                    left.insert(pid)
                } else if process.user == user, process.started >= start.ticks, isMeant(pid) {
                    process.send(SIGSTOP)
                    held.append(process)
                }
            }
        }
        return held
    }

    static func awaitEnd(of processes: [ProcessHandle], limit: TimeLimit) {
        var waiting = processes.filter { !$0.isGone }
        while !waiting.isEmpty, !limit.isOver {
            var items = waiting.map { pollfd(fd: $0.descriptor.raw, events: Int16(POLLIN), revents: 0) }
            poll(&items, nfds_t(items.count), limit.milliseconds(cap: 100))
            waiting.removeAll(where: \.isGone)
        }
    }

    private func report(_ found: [Int32: Stray], _ waiting: [Stray], fault: String?) -> StrayReport {
        StrayReport(found: found.values.sorted { $0.pid < $1.pid }, waiting: waiting, fault: fault)
    }

    private func scan(
        before: Bool = false
    ) -> (strays: [Stray], waiting: [Stray], spared: Set<Int32>, missed: Int)? {
        guard let pids = ProcessRecord.pids() else { return nil }
        guard canTell else { return ([], [], [], 0) }
        var records: [Int32: ProcessRecord] = [:]
        for pid in pids { records[pid] = ProcessRecord(pid: pid) }
        // Everything descends from the first process, which so cannot be on a list.
        var left = spared.union([getpid()]).subtracting([0, 1])
        var known = -1
        while known != left.count {
            known = left.count
            for record in records.values where left.contains(record.parent) { left.insert(record.pid) }
        }
        left.formUnion(ProcessRecord.line(of: getpid()))
        let strays = records.values.filter { record in
            (record.started < start.ticks) == before && !record.isZombie && !left.contains(record.pid)
                && !display.contains(record.pid)
                && ProcessRecord.realUser(of: record.pid) == user && !descends(record.pid, from: left)
                && isMeant(record.pid)
        }
        let named = strays.sorted { $0.pid < $1.pid }.map {
            Stray(pid: $0.pid, name: Stray.plain($0.name, most: 15), unit: Self.unit(of: $0.pid))
        }
        let asking = named.filter { waiting.contains($0.pid) }
        let others = named.filter { !waiting.contains($0.pid) }
        return (others, asking, left, pids.count - records.count)
    }

    /// Asked anew of each that seems to be alone: its parent may have ended while the list was read, and it has another now.
    private func descends(_ pid: Int32, from left: Set<Int32>) -> Bool {
        // What started the agent started everything.
        let listed = left.subtracting(ProcessRecord.line(of: getpid()).dropFirst())
        var next = pid
        for _ in 1...64 {
            // Gone by now: neither a stray nor a child of any process.
            guard let record = ProcessRecord(pid: next) else { return next == pid }
            if listed.contains(record.parent) { return true }
            if record.parent <= 1 { return false }
            next = record.parent
        }
        return false
    }

    private func isMeant(_ pid: Int32) -> Bool {
        guard let leavers else { return true }
        var next = pid
        for _ in 1...64 {
            if leavers.contains(next) { return true }
            guard let own = ProcessRecord(pid: next) else { return false }
            guard let parent = ProcessRecord(pid: own.parent), parent.pid > 1, !Self.adopters.contains(parent.name)
            else { return own.started <= last }
            guard parent.started >= start.ticks, ProcessRecord.realUser(of: parent.pid) == user else { return false }
            next = parent.pid
        }
        return false
    }

    /// To these fall orphans, beside the first process, and they start what a program has asked for over the bus.
    private static let adopters: Set<String> = ["systemd", "dbus-daemon", "dbus-broker-lau"]

    /// `pipewire.service` of `0::/user.slice/…/app.slice/pipewire.service`.
    private static func unit(of pid: Int32) -> String {
        guard let text = readSmallFile("/proc/\(pid)/cgroup") else { return "" }
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.hasPrefix("0::/") {
            let unit = line.split(separator: "/").last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }
            return unit.map { Stray.plain($0, most: 64) } ?? ""
        }
        return ""
    }
}
