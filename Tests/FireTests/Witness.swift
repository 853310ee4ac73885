import Baton
import DBus
import Glibc
import Synchronization
import TerminalTesting

/// Writes down everything that batond tells anybody, and holds it against what it told before and what it tells in the
/// end: what was said once must stay true, whatever is killed.
final class Witness: Sendable {
    private struct State {
        var usernames: [UInt64: String] = [:]
        /// Turns that somebody heard to have begun.
        var begun: Set<UInt64> = []
        var outcomes: [UInt64: String] = [:]
        /// The last that a caller heard of where the device stands.
        var last: (epoch: UInt64, rank: Int, phase: String) = (0, 0, "")
        var slow: Set<String> = []
        var faults: [String] = []
    }

    private let state = Mutex(State())
    private let apps: [AppUnderFire]
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// Listens and asks until it goes.
    init(_ terminal: Terminal, apps: [AppUnderFire]) async throws {
        self.apps = apps
        try await listen(try await terminal.connect(), and: try await terminal.connect())
    }

    deinit { stop() }

    func stop() {
        tasks.withLock { tasks in
            for task in tasks { task.cancel() }
            tasks = []
        }
    }

    var faults: [String] { state.withLock(\.faults) + apps.flatMap(\.faults) }

    private func listen(_ connection: Connection, and asking: Connection) async throws {
        let peer = Peer(connection: connection)
        let signedIn = try await peer.signals(Device1.signedIn)
        let signedOut = try await peer.signals(Device1.signedOut)
        let owners = try await asking.owners(of: Device1.busName)
        let asker = Peer(connection: asking)
        let new: [Task<Void, Never>] = [
            Task { [weak self] in
                do {
                    for try await signal in signedIn {
                        self?.began(signal.values.0, signal.values.1["username"]?.string)
                    }
                } catch {}
            },
            Task { [weak self] in
                do {
                    for try await signal in signedOut { self?.ended(signal.values.0, signal.values.2) }
                } catch {}
            },
            Task { [weak self] in
                do {
                    for try await owner in owners where owner != nil {
                        // Until it is killed, and then the next one.
                        while let self, !Task.isCancelled, await ask(asker) {
                            // Often, and yet the rounds are what the machine is busy with.
                            try await Task.sleep(for: .milliseconds(1))
                        }
                    }
                } catch {}
            },
        ]
        tasks.withLock { $0 += new }
    }

    private func ask(_ peer: Peer) async -> Bool {
        guard let information = try? await peer.call(Device1.getDeviceInformation),
            let (epoch, current, _) = try? await peer.call(Device1.getCurrentAccount)
        else { return false }
        if let username = current["username"]?.string { began(epoch, username) }
        if let epoch = information["epoch"]?.uint64, let phase = information["phase"]?.string {
            stands(epoch, phase)
            if phase == "clearing" { await lookForSlowOnes(epoch, peer) }
        }
        return true
    }

    /// Said at once: apps live in this program, which the agent ends at the hard deadline, and then nobody says anything.
    private func lookForSlowOnes(_ epoch: UInt64, _ peer: Peer) async {
        guard let rows = try? await peer.list() else { return }
        for row in rows where row.slow && row.pid == UInt32(getpid()) {
            let isNew = state.withLock { $0.slow.insert("\(epoch) \(row.instance)").inserted }
            guard isNew else { continue }
            print("turn \(epoch): \(row) keeps silent; \(faults)")
            fflush(nil)
        }
    }

    // MARK: What is said

    func began(_ epoch: UInt64, _ username: String?) {
        state.withLock { state in
            state.begun.insert(epoch)
            guard let username else { return }
            if let earlier = state.usernames.updateValue(username, forKey: epoch), earlier != username {
                state.faults.append("turn \(epoch) was \(earlier)'s and then \(username)'s")
            }
        }
    }

    func ended(_ epoch: UInt64, _ outcome: String) {
        // Before the next worker's data is anywhere, that of this one is nowhere.
        let holding = apps.filter { $0.held == epoch }.map(\.id)
        state.withLock { state in
            if outcome == "cleared", !holding.isEmpty {
                state.faults.append("turn \(epoch) was said to be cleared, and \(holding) held its data")
            }
            if let earlier = state.outcomes.updateValue(outcome, forKey: epoch), earlier != outcome {
                state.faults.append("turn \(epoch) ended \(earlier) and then \(outcome)")
            }
        }
    }

    private func stands(_ epoch: UInt64, _ phase: String) {
        let rank = ["in-use": 1, "clearing": 2, "quarantined": 3, "ready": 4, "signing-in": 4][phase] ?? 0
        state.withLock { state in
            if (epoch, rank) < (state.last.epoch, state.last.rank) {
                state.faults.append("first \(state.last), then \((epoch, rank, phase))")
            }
            state.last = (epoch, rank, phase)
        }
    }

    // MARK: What stands in the end

    /// Every turn that anybody heard of has the receipt that they heard of.
    ///
    /// - Returns: These receipts.
    @discardableResult
    func check(_ desk: Peer) async throws -> [Receipt] {
        var receipts: [Receipt] = []
        let (begun, outcomes, usernames) = state.withLock { ($0.begun, $0.outcomes, $0.usernames) }
        for epoch in begun {
            guard let receipt = try await desk.receipt(epoch) else {
                note("turn \(epoch) was begun and has no receipt")
                continue
            }
            receipts.append(receipt)
            if let heard = outcomes[epoch], heard != receipt.outcome.rawValue {
                note("turn \(epoch) ended \(heard), and its receipt says \(receipt.outcome)")
            }
            if let username = usernames[epoch], receipt.account?.username != username {
                note("turn \(epoch) was \(username)'s, and its receipt says \(receipt.account?.username ?? "nobody")")
            }
        }
        for epoch in outcomes.keys where !begun.contains(epoch) { note("turn \(epoch) ended and never began") }
        // Enough of the past: the journal keeps only so many receipts.
        state.withLock { state in
            state.begun = []
            state.outcomes = [:]
        }
        return receipts
    }

    func note(_ fault: String) { state.withLock { $0.faults.append(fault) } }
}
