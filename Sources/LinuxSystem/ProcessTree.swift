import Checkpoints
import Glibc

/// Stops an app: the processes of its connections and their descendants.
///
/// Found are: children of children, as long as their parents live; and all processes of a session or
/// process group that a process of the tree leads, also those whose parents are gone. **Not found** is a
/// process that left the session by `setsid` and whose parent ended before the tree was stopped: nothing
/// in `/proc` ties it to the app any more. Only a sandbox or a control group finds that one, so the proof
/// is no better than `pid`.
///
/// Several apps are stopped in one go: each look at all processes serves all of them, and one app's ending processes
/// do not disturb another's look.
public struct ProcessTree {
    private let user = getuid()
    private let excluded: Set<pid_t>
    private let limit: TimeLimit
    /// Half of the time at most goes into freezing: the kill must come.
    private let freezeLimit: SuspendingClock.Instant
    /// Pinned, of our user, to be ended.
    private var members: [pid_t: ProcessHandle] = [:]
    /// Processes of the tree that are not ours to signal.
    private var untouchable: [pid_t: ProcessHandle] = [:]
    /// To whom of those that are stopped a process belongs, by pid.
    private var owners: [pid_t: Int] = [:]
    /// Whose processes descend from another's, and so are that one's too.
    private var heirs: [Int: Set<Int>] = [:]
    /// Of whom the last look found something new.
    private var restless: Set<Int> = []
    /// Roots that had ended before, by pid.
    private var goneLeaders: [pid_t: ProcessHandle] = [:]
    /// Those of them whose session or group still has processes from their lifetime.
    private var continued: Set<pid_t> = []
    /// Zombies met before: a new one may have forked just before it ended.
    private var oldZombies: Set<pid_t> = []
    private var note: StopNotes.Note?
    /// Looks in a row that found nothing.
    private var emptyLooks = 0

    private init(excluding excluded: Set<pid_t>, limit: TimeLimit) {
        self.excluded = excluded.union([1, getpid()])
        self.limit = limit
        let now = SuspendingClock.now
        freezeLimit = now.advanced(by: now.duration(to: limit.deadline) / 2)
    }

    /// Ends the processes and all descendants that can be found, and waits until each is gone. Blocks.
    ///
    /// - Parameters:
    ///   - roots: The connections' processes; some may be gone already.
    ///   - excluding: Never signalled: the supervisor's pid and the like. The agent itself and pid 1 never are.
    ///   - notes: Where it stands what is being stopped, until nothing of it is left.
    public static func stop(
        _ roots: [ProcessHandle], excluding: Set<Int32> = [], notes: StopNotes? = nil, limit: TimeLimit
    ) -> StopReport {
        stop([roots], excluding: excluding, notes: notes, limit: limit)[0]
    }

    /// The same for several at once; what is said of each is in their order. One process is a root of one of them only.
    public static func stop(
        _ cases: [[ProcessHandle]], excluding: Set<Int32> = [], notes: StopNotes? = nil, limit: TimeLimit
    ) -> [StopReport] {
        var tree = ProcessTree(excluding: excluding, limit: limit)
        tree.note = notes?.begin()
        let fault = tree.stop(cases)
        let reports = cases.indices.map { tree.report($0, fault: fault) }
        if reports.allSatisfy(\.isProven) { tree.note?.remove() }
        return reports
    }

    private mutating func stop(_ cases: [[ProcessHandle]]) -> String? {
        for (owner, roots) in cases.enumerated() {
            for root in roots {
                owners[root.pid] = owner
                if root.isGone {
                    goneLeaders[root.pid] = root
                } else if excluded.contains(root.pid) {
                    untouchable[root.pid] = root
                } else {
                    add(root, of: owner)
                }
            }
        }
        if cases.count > 1 { findHeirs(among: cases.joined()) }
        var rounds = 0
        repeat {
            let readable = freeze()
            // Whatever is killed from here on takes with it what tied its children to it.
            note?.write(members.values.filter { !$0.isGone })
            checkpoint("while everything stands still")
            kill()
            awaitEnd()
            guard readable, let look = collect() else { return "the list of processes cannot be read" }
            // Something may have forked between the last look and the kill: again until nothing is found.
            if isConclusive(look) { return nil }
            rounds += 1
        } while rounds < 64 && !limit.isOver
        return "timed out while new processes appeared"
    }

    /// What is under the roots of one is also under the one from which they descend.
    private mutating func findHeirs(among roots: some Sequence<ProcessHandle>) {
        for root in roots {
            guard let heir = owners[root.pid] else { continue }
            let line = ProcessRecord.line(of: root.pid)
            let leaders = ProcessRecord(pid: root.pid).map { [$0.session, $0.group] } ?? []
            for owner in Set((line + leaders).compactMap { owners[$0] }) where owner != heir {
                heirs[owner, default: []].insert(heir)
            }
        }
    }

    private func report(_ owner: Int, fault: String?) -> StopReport {
        var own: Set<Int> = []
        var next = [owner]
        while let one = next.popLast() {
            if own.insert(one).inserted { next += heirs[one] ?? [] }
        }
        func isOwn(_ process: ProcessHandle) -> Bool { owners[process.pid].map(own.contains) ?? true }
        let mine = members.values.filter(isOwn)
        let left = (mine + untouchable.values.filter(isOwn)).filter { !$0.isGone }
        // Where it is known who did not come to rest, the others are not blamed for it.
        let isBlamed = restless.isEmpty || !restless.isDisjoint(with: own)
        return StopReport(
            ended: mine.count { $0.isGone }, unproven: Set(left.map(\.pid)).sorted(), fault: isBlamed ? fault : nil)
    }

    /// Stops what is found and looks again until two looks find nothing new and no thread runs: from then on
    /// no process forks. False if `/proc` cannot be read.
    private mutating func freeze() -> Bool {
        var quiet = 0
        emptyLooks = 0
        while quiet < 2 {
            guard let look = collect() else { return false }
            let running = members.values.contains(where: isRunning)
            quiet = isConclusive(look) && !running ? quiet + 1 : 0
            if limit.isOver || SuspendingClock.now >= freezeLimit { break }
            if quiet == 0 && look.found == 0 { pause() }
        }
        return true
    }

    private struct Look {
        /// Descendants that were not known before.
        var found = 0
        /// Processes that ended between being listed and being read: what they forked is in no list yet.
        var missed = 0
    }

    /// Nothing was found and nothing was missed. On a busy machine something is always missed, so many looks
    /// that find nothing count too.
    private func isConclusive(_ look: Look) -> Bool {
        look.found == 0 && (look.missed == 0 || emptyLooks >= 16)
    }

    /// Finds, pins and stops descendants that are not yet known; nil without `/proc`.
    private mutating func collect() -> Look? {
        restless = []
        guard let pids = ProcessRecord.pids() else { return nil }
        var look = Look()
        var records: [ProcessRecord] = []
        // The newest first, at once: in a chain in which each process forks the next and ends, only the last
        // one is there, and not for long.
        for pid in pids where !isKnown(pid) {
            guard let record = ProcessRecord(pid: pid) else {
                look.missed += 1
                continue
            }
            noteHeirs(record)
            if !take(record, &look) { records.append(record) }
        }
        var before = -1
        while before != look.found {
            before = look.found
            records.removeAll { take($0, &look) }
        }
        emptyLooks = look.found == 0 ? emptyLooks + 1 : 0
        return look
    }

    /// A leader's pid is not given out again while its session or group has members. So one that started
    /// before the leader's end proves that the number still means that leader's.
    private mutating func noteHeirs(_ record: ProcessRecord) {
        for leader in [record.session, record.group] {
            if let gone = goneLeaders[leader], meansStill(leader, gone),
                (gone.started...max(gone.started, gone.noteEnd())).contains(record.started)
            {
                continued.insert(leader)
            }
        }
    }

    /// Pins and stops a process if it belongs to the tree; false when it does not.
    private mutating func take(_ record: ProcessRecord, _ look: inout Look) -> Bool {
        guard let owner = owner(of: record) else { return false }
        if record.isZombie {
            if oldZombies.insert(record.pid).inserted {
                look.missed += 1
                restless.insert(owner)
            }
            return true
        }
        guard let process = ProcessHandle(pid: record.pid), process.started == record.started,
            // Pinned now; what it was when it was listed may be another process's story.
            let now = ProcessRecord(pid: record.pid), self.owner(of: now) != nil, !process.isGone
        else {
            look.missed += 1
            restless.insert(owner)
            return true
        }
        add(process, of: owner)
        restless.insert(owner)
        look.found += 1
        return true
    }

    private mutating func add(_ process: ProcessHandle, of owner: Int) {
        owners[process.pid] = owner
        if process.user == user {
            members[process.pid] = process
            process.send(SIGSTOP)
        } else {
            untouchable[process.pid] = process
        }
    }

    private func isKnown(_ pid: pid_t) -> Bool {
        excluded.contains(pid) || [members[pid], untouchable[pid]].contains { $0.map { !$0.isGone } == true }
    }

    /// To which of those that are stopped the process belongs; nil: to none.
    private func owner(of record: ProcessRecord) -> Int? {
        if let parent = members[record.parent], !parent.isGone { return owners[record.parent] }
        for leader in [record.session, record.group] {
            if continued.contains(leader) { return owners[leader] }
            if let process = members[leader], meansStill(leader, process) { return owners[leader] }
        }
        return nil
    }

    /// False when the number names a later process by now.
    private func meansStill(_ pid: pid_t, _ process: ProcessHandle) -> Bool {
        guard let now = ProcessRecord(pid: pid) else { return true }
        // Start times have ticks of a hundredth of a second; a living process is never the one that is gone.
        return now.started == process.started && (now.isZombie || !process.isGone)
    }

    private func isRunning(_ process: ProcessHandle) -> Bool {
        if process.isGone { return false }
        // Uninterruptible sleep counts as standing still: a vfork parent stays in it while its child is stopped.
        return ProcessRecord.threadStates(of: process.pid).contains {
            $0 == UInt8(ascii: "R") || $0 == UInt8(ascii: "S")
        }
    }

    private func kill() {
        for process in members.values where !process.isGone {
            checkpoint("before a process is killed")
            process.send(SIGKILL)
            checkpoint("after a process was killed")
        }
    }

    private func awaitEnd() {
        var waiting = members.values.filter { !$0.isGone }
        while !waiting.isEmpty && !limit.isOver {
            var items = waiting.map { pollfd(fd: $0.descriptor.raw, events: Int16(POLLIN), revents: 0) }
            // Woken from time to time only to see a cancellation.
            poll(&items, nfds_t(items.count), limit.milliseconds(cap: 100))
            waiting.removeAll(where: \.isGone)
        }
    }

    private func pause() {
        // A stop takes effect when the thread next leaves the kernel; nothing tells when.
        poll(nil, 0, 1)
    }
}
