import DBus
import LocalAccounts
import Logging
import Synchronization
import Testing

@testable import Supervision
@testable import Supervisor

@Suite("What is not written yet", .timeLimit(.minutes(1)))
struct UnwrittenStateTests {
    @Test func `is told to nobody, since a restart would not know of it`() async throws {
        let journal = HeldJournal()
        let supervisor = try await Self.supervisor(journal, Self.inUse)
        #expect(await supervisor.publicState.phase == .inUse)

        let asked = Task { await supervisor.ask { .signOut($0, epoch: 8, .user) } }
        await journal.waitUntilAsked()
        // The machine is ahead, and whoever asks hears what the disk knows.
        #expect(await supervisor.machine.phase == .ready)
        #expect(await supervisor.publicState.phase == .inUse)
        #expect(await supervisor.publicState.current?.id == "local#ana")
        #expect(await supervisor.written.quarantineExplanation == nil)

        journal.release()
        _ = await asked.value
        #expect(await supervisor.publicState.phase == .ready)
        #expect(await supervisor.publicState.current == nil)
    }

    private static var inUse: Ledger {
        var ledger = Ledger(epoch: 8)
        var device = ledger.device
        (device.busID, device.bootID) = ("bus", "boot")
        device.turn = Ledger.Turn(epoch: 8, holder: Holder(id: "local#ana"), when: 1)
        ledger.apply(.device(device))
        return ledger
    }

    /// On a bus thread of its own, with nobody on the bus.
    private static func supervisor(_ journal: HeldJournal, _ ledger: Ledger) async throws -> Supervisor {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var settings = Settings(defaultsFor: .session)
        settings.agent.required = false
        let thread = try BusThread()
        let provider = try await LocalProvider(
            accounts: [], thread: thread, journal: journal, clock: .system, log: log)
        let supervisor = Supervisor(
            thread: thread, ledger: ledger, journal: journal, marker: Marker("/nonexistent/marker"),
            settings: settings, provider: provider, clock: .system, log: log)
        let stage = Stage(
            publish: { _, _ in }, announce: { _ in }, ask: { _ in },
            open: { (_, _) async throws(Refusal) in throw .failed }, step: { _, _ in })
        await supervisor.start(on: stage, in: Surroundings(busID: "bus", bootID: "boot", alive: []))
        await supervisor.drain()
        journal.hold()
        return supervisor
    }
}

/// A journal on a disk that takes its time, and so can be looked at while it writes.
private final class HeldJournal: SessionJournal {
    private struct State {
        var isHolding = false
        var isAsked = false
        var writers: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    let journalID = "0"
    let deviceID = "0"

    func hold() { state.withLock { $0.isHolding = true } }

    func release() {
        let writers = state.withLock { state in
            state.isHolding = false
            defer { state.writers = [] }
            return state.writers
        }
        for writer in writers { writer.resume() }
    }

    func waitUntilAsked() async {
        await withCheckedContinuation { watcher in
            let isAsked = state.withLock { state in
                if !state.isAsked { state.watchers.append(watcher) }
                return state.isAsked
            }
            if isAsked { watcher.resume() }
        }
    }

    private func pause() async {
        await withCheckedContinuation { writer in
            let (isHeld, watchers) = state.withLock { state in
                guard state.isHolding else { return (false, [CheckedContinuation<Void, Never>]()) }
                state.isAsked = true
                state.writers.append(writer)
                defer { state.watchers = [] }
                return (true, state.watchers)
            }
            for watcher in watchers { watcher.resume() }
            if !isHeld { writer.resume() }
        }
    }

    func write(_ records: [Record]) async throws { await pause() }
    func save(_ ledger: Ledger, missed: [Record]) async throws { await pause() }
    func receipt(of epoch: Epoch) async throws -> ReceiptRecord? { nil }
    func newestReceipts(_ count: Int) async throws -> [ReceiptRecord] { [] }
    func storedPINAttempts() async throws -> [PINAttempts] { [] }
    func store(_ attempts: PINAttempts) async throws {}
    func change(_ limits: Journal.Limits) {}
    func close() {}
}
