internal import DBus
internal import Supervision

/// Counts calls by their senders, and tells the supervisor of a process that does little else than call.
///
/// Everything is on the bus thread, between messages: to count is to look into a dictionary, and whose connections they are is
/// asked only when there are too many calls to be any honest program's work.
actor Traffic {
    private struct Tally {
        var counts: [BusName: Int] = [:]
        var total = 0
        /// At how many in all it is looked the next time.
        var due: Int
        /// Of each process, and under which of its connections; 0: of all that have left.
        var told: [Int32: (sender: Sender?, count: Int)] = [:]
    }

    private let connection: Connection
    private let supervisor: Supervisor
    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.thread.asUnownedSerialExecutor() }

    private var began = SuspendingClock.now
    private var tallies: [Misuse.Kind: Tally] = [:]

    /// What counts is how many come within this time.
    private static let window = Duration.seconds(60)
    /// Connections that are told apart; only somebody who means ill has so many in so short a time.
    private static let mostSenders = 4096

    init(connection: Connection, supervisor: Supervisor) {
        self.connection = connection
        self.supervisor = supervisor
    }

    /// So many of one process within the window are no honest program's any more.
    private static func limit(_ kind: Misuse.Kind) -> Int {
        switch kind {
        case .calls: 3000
        case .refusals, .abandoned: 100
        }
    }

    func note(_ news: CallNews, of sender: BusName) {
        let kind: Misuse.Kind =
            switch news {
            case .came: .calls
            case .refused: .refusals
            case .abandoned: .abandoned
            }
        let now = SuspendingClock.now
        if began.duration(to: now) >= Self.window {
            began = now
            tallies = [:]
        }
        var tally = tallies[kind] ?? Tally(due: Self.limit(kind))
        tallies[kind] = nil
        let isKnown = tally.counts[sender] != nil
        if isKnown || tally.counts.count < Self.mostSenders { tally.counts[sender, default: 0] += 1 }
        tally.total += 1
        let isDue = tally.total >= tally.due
        if isDue { tally.due *= 2 }
        tallies[kind] = tally
        guard isDue else { return }
        let window = began
        Task(executorPreference: connection.thread.tasks) { await self.look(kind, window) }
    }

    /// Finds out whose calls they are.
    private func look(_ kind: Misuse.Kind, _ window: SuspendingClock.Instant) async {
        var sums: [Int32: (sender: Sender?, count: Int)] = [:]
        for (sender, count) in tallies[kind]?.counts ?? [:] {
            // Of those that have left the bus says nothing any more.
            let pid = kind == .abandoned ? 0 : (try? await connection.credentials(of: sender))?.pid ?? 0
            sums[pid, default: (pid == 0 ? nil : sender.rawValue, 0)].count += count
        }
        guard window == began, var tally = tallies[kind] else { return }
        var misuses: [Misuse] = []
        for (pid, sum) in sums where sum.count >= Self.limit(kind) {
            let before = tally.told[pid] ?? (sum.sender, 0)
            guard sum.count > before.count else { continue }
            tally.told[pid] = (before.sender, sum.count)
            let more = UInt32(clamping: sum.count - before.count)
            misuses.append(Misuse(kind, by: before.sender, pid: pid, count: more))
        }
        tallies[kind] = tally
        for misuse in misuses { await supervisor.post(.misused(misuse)) }
    }
}
