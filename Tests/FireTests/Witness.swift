import Baton
import DBus
import Glibc
import Synchronization
import TerminalTesting
import Testimony

/// Hears everything that batond tells anybody, and what it tells in the end.
final class Witness: Sendable {
    private struct State {
        var testimony = Testimony()
        var slow: Set<String> = []
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

    var faults: [String] { state.withLock(\.testimony.faults) + apps.flatMap(\.faults) }

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
                        var (last, pause) = ("", Self.shortest)
                        // Until it is killed, and then the next one.
                        while let self, !Task.isCancelled, let answer = await ask(asker) {
                            // Often while something happens, and yet the rounds are what the machine is busy with.
                            pause = answer == last ? min(pause * 2, Self.longest) : Self.shortest
                            last = answer
                            try await Task.sleep(for: pause)
                        }
                    }
                } catch {}
            },
        ]
        tasks.withLock { $0 += new }
    }

    /// Between two questions.
    private static let shortest = Duration.milliseconds(1)
    private static let longest = Duration.milliseconds(16)

    /// What stands now; nil: there was no answer.
    private func ask(_ peer: Peer) async -> String? {
        guard let information = try? await peer.call(Device1.getDeviceInformation),
            let (epoch, current, _) = try? await peer.call(Device1.getCurrentAccount)
        else { return nil }
        if let username = current["username"]?.string { began(epoch, username) }
        guard let epoch = information["epoch"].flatMap(Epoch.init), let phase = information["phase"]?.string else {
            return ""
        }
        stands(epoch, phase)
        if phase == "clearing" { await lookForSlowOnes(epoch, peer) }
        return "\(epoch) \(phase) \(current["username"]?.string ?? "")"
    }

    /// Said at once: apps live in this program, which the agent ends at the hard deadline, and then nobody says anything.
    private func lookForSlowOnes(_ epoch: Epoch, _ peer: Peer) async {
        guard let rows = try? await peer.list() else { return }
        for row in rows where row.slow && row.pid == UInt32(getpid()) {
            let isNew = state.withLock { $0.slow.insert("\(epoch) \(row.instance)").inserted }
            guard isNew else { continue }
            print("turn \(epoch): \(row) keeps silent; \(faults)")
            fflush(nil)
        }
    }

    // MARK: What is said

    func began(_ epoch: Epoch, _ username: String?) { state.withLock { $0.testimony.began(epoch, username) } }

    func ended(_ epoch: Epoch, _ outcome: String) {
        let holding = apps.filter { $0.held == epoch }.map(\.id)
        state.withLock { $0.testimony.ended(epoch, outcome, holding: holding) }
    }

    private func stands(_ epoch: Epoch, _ phase: String) { state.withLock { $0.testimony.stands(epoch, phase) } }

    // MARK: What stands in the end

    /// Every turn that anybody heard of has the receipt that they heard of.
    ///
    /// - Returns: These receipts.
    @discardableResult
    func check(_ desk: Peer) async throws -> [Receipt] {
        var receipts: [Receipt] = []
        let begun = state.withLock(\.testimony.begun)
        for epoch in begun {
            if let receipt = try await desk.receipt(epoch) { receipts.append(receipt) }
        }
        let written = receipts.map {
            ($0.epoch, Testimony.Written(worker: $0.account?.username, outcome: $0.outcome.rawValue))
        }
        state.withLock { $0.testimony.check(begun, Dictionary(written) { $1 }) }
        return receipts
    }

    func note(_ fault: String) { state.withLock { $0.testimony.note(fault) } }
}
