package import DBus
import SessionMachine
package import Supervisor
import Vocabulary

/// Counts calls by their senders, and tells the supervisor of a process that does little else than call.
///
/// Everything is on the bus thread, between messages: to count is to look into a dictionary, and whose connections they are is
/// asked only when there are too many calls to be any honest program's work.
package actor Traffic {
    private struct Count {
        var calls = 0
        /// Its process has been told of, and these calls with it.
        var isTold = false
    }

    private struct Tally {
        /// Of the connections that are there.
        var counts: [BusName: Count] = [:]
        var total = 0
        /// At how many in all it is looked the next time.
        var due: Int
        /// Of those that have left, of whom the bus says nothing any more.
        var gone = (calls: 0, told: 0)
        /// Of each process, and under which of its connections.
        var told: [Int32: (sender: Sender, calls: Int)] = [:]
    }

    private let connection: Connection
    private let supervisor: Supervisor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { connection.thread.asUnownedSerialExecutor() }

    private var began = SuspendingClock.now
    private var tallies: [MisuseKind: Tally] = [:]

    /// What counts is how many come within this time.
    private static let window = Duration.seconds(60)

    package init(connection: Connection, supervisor: Supervisor) {
        self.connection = connection
        self.supervisor = supervisor
    }

    /// So many of one process within the window are no honest program's any more.
    private static func limit(_ kind: MisuseKind) -> Int {
        switch kind {
        case .calls: 3000
        case .refusals, .abandoned: 100
        case .unread: 10
        }
    }

    package func note(_ news: CallNews, of sender: BusName) {
        let now = SuspendingClock.now
        if began.duration(to: now) >= Self.window {
            began = now
            tallies = [:]
        }
        switch news {
        case .came: count(.calls, sender)
        case .refused: count(.refusals, sender)
        case .abandoned: change(.abandoned) { $0.gone.calls += 1 }
        case .unread: count(.unread, sender)
        }
    }

    /// What a connection did before it left counts on, without a name.
    package func left(_ sender: BusName) {
        for kind in tallies.keys {
            change(kind) { tally in
                guard let count = tally.counts.removeValue(forKey: sender) else { return }
                tally.total -= count.calls
                tally.due = min(tally.due, max(Self.limit(kind), tally.total * 2))
                if !count.isTold { tally.gone.calls += count.calls }
            }
        }
    }

    private func count(_ kind: MisuseKind, _ sender: BusName) {
        let limit = Self.limit(kind)
        var isDue = false
        change(kind) { tally in
            tally.counts[sender, default: Count()].calls += 1
            tally.total += 1
            let (times, rest) = (tally.counts[sender]?.calls ?? 0).quotientAndRemainder(dividingBy: limit)
            // Of one connection at once, whatever others do; after that each time that it has doubled.
            isDue = tally.total >= tally.due || rest == 0 && times & (times - 1) == 0
            if isDue { tally.due = max(limit, tally.total * 2) }
        }
        guard isDue else { return }
        let window = began
        Task(executorPreference: connection.thread.tasks) { await self.look(kind, window) }
    }

    private func change(_ kind: MisuseKind, _ change: (inout Tally) -> Void) {
        let limit = Self.limit(kind)
        // Taken out meanwhile, so that it is changed in its place.
        var tally = tallies.removeValue(forKey: kind) ?? Tally(due: limit)
        change(&tally)
        if tally.gone.calls >= max(limit, tally.gone.told * 2) {
            tell(kind, by: nil, pid: 0, tally.gone.calls - tally.gone.told)
            tally.gone.told = tally.gone.calls
        }
        tallies[kind] = tally
    }

    /// Finds out whose calls they are.
    private func look(_ kind: MisuseKind, _ window: SuspendingClock.Instant) async {
        var owners: [BusName: Int32] = [:]
        for sender in tallies[kind].map({ Array($0.counts.keys) }) ?? [] {
            owners[sender] = (try? await connection.credentials(of: sender))?.pid
        }
        if window == began { tell(kind, of: owners) }
    }

    private func tell(_ kind: MisuseKind, of owners: [BusName: Int32]) {
        change(kind) { tally in
            var sums: [Int32: (sender: BusName, calls: Int)] = [:]
            for (sender, count) in tally.counts {
                if let pid = owners[sender] { sums[pid, default: (sender, 0)].calls += count.calls }
            }
            for (pid, sum) in sums where sum.calls >= Self.limit(kind) {
                let before = tally.told[pid] ?? (sum.sender.rawValue, 0)
                guard sum.calls > before.calls else { continue }
                tally.told[pid] = (before.sender, sum.calls)
                tell(kind, by: before.sender, pid: pid, sum.calls - before.calls)
            }
            for (sender, pid) in owners where tally.told[pid] != nil { tally.counts[sender]?.isTold = true }
        }
    }

    private func tell(_ kind: MisuseKind, by sender: Sender?, pid: Int32, _ count: Int) {
        let misuse = Misuse(kind, by: sender, pid: pid, count: UInt32(clamping: count))
        supervisor.assumeIsolated { $0.post(.misused(misuse)) }
    }
}
