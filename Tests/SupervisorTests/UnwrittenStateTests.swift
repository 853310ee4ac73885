import Baton
import BusTesting
import DBus
import LocalAccounts
import Logging
import Synchronization
import TerminalTesting
import Testing
import Vocabulary

@testable import Journal
@testable import Providers
@testable import SessionMachine
@testable import Supervisor

@Suite("What is not written yet", .timeLimit(.minutes(1)))
struct UnwrittenStateTests {
    @Test func `is told to nobody, since a restart would not know of it`() async throws {
        let journal = HeldJournal()
        let supervisor = try await Supervisor.alone(with: journal)
        #expect(await supervisor.publicState.phase == .inUse)
        journal.hold()

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

    @Test func `is told to nobody either when a disk that had recovered fails again`() async throws {
        let terminal = try Terminal()
        let marker = Marker("\(terminal.folder)/marker")
        let journal = HeldJournal()
        let supervisor = try await Supervisor.alone(with: journal, marker: marker)
        journal.refuseRecords()
        // The whole state can be written, and so the quarantine is about to be left; but that cannot be written.
        for _ in 1...2 { _ = await supervisor.ask { .signOut($0, epoch: 8, .user) } }
        await supervisor.drain()
        #expect(journal.saves == 1)
        #expect(marker.meaning == .failed)
        #expect(await supervisor.machine.isJournalBroken)
        #expect(await supervisor.publicState.phase == .quarantined)

        journal.takeRecords()
        _ = await supervisor.ask { .signOut($0, epoch: 8, .user) }
        await supervisor.drain()
        #expect(marker.meaning == nil)
        #expect(await supervisor.publicState.phase == .ready)
        #expect(journal.saves == 2)
    }

    @Test func `costs no app its time to clear`() async throws {
        let journal = HeldJournal()
        let (ahead, announced) = (Held(), Held())
        let clock = Clock {
            let now = Clock.system.now()
            return Moment(monotonic: now.monotonic + ahead.value, boottime: now.boottime, wall: now.wall)
        }
        let supervisor = try await Supervisor.alone(with: journal, clock: clock) { announcement in
            if case .signingOut(_, _, _, let deadline) = announcement { announced.set(deadline) }
        }
        let app = AppKey(uid: 1, id: "org.example.App")
        let registering = Registering(sender: ":1.5", app: app, pid: 1)
        guard case .registered(let registered) = await supervisor.ask({ .register($0, registering) }) else {
            throw TestingError("not registered")
        }
        journal.hold()
        let asked = Task { await supervisor.ask { .signOut($0, epoch: 8, .user) } }
        await journal.waitUntilAsked()
        // The disk takes longer than the app has to clear.
        ahead.set(6_000_000)
        journal.release()
        await supervisor.drain()
        await supervisor.post(.tick)
        await supervisor.drain()
        #expect(await supervisor.machine.ledger.roster[app]?.state == .pending)
        #expect(announced.value > clock.now().monotonic)
        #expect(await supervisor.machine.deadline == announced.value)
        let word = Acknowledging(sender: ":1.5", epoch: 8, instance: registered.instance, outcome: .cleared)
        #expect(await supervisor.ask { .acknowledge($0, word) } == .done)
        guard case .signedOut(_, let receipt) = await asked.value else { throw TestingError("not signed out") }
        #expect(receipt?.outcome == .cleared)
    }

    @Test func `costs no app that answered in time its answer when it is never written`() async throws {
        let journal = HeldJournal()
        let ahead = Held()
        let clock = Clock {
            let now = Clock.system.now()
            return Moment(monotonic: now.monotonic + ahead.value, boottime: now.boottime, wall: now.wall)
        }
        let supervisor = try await Supervisor.alone(with: journal, clock: clock)
        let app = AppKey(uid: 1, id: "org.example.App")
        let registering = Registering(sender: ":1.5", app: app, pid: 1)
        guard case .registered(let registered) = await supervisor.ask({ .register($0, registering) }) else {
            throw TestingError("not registered")
        }
        // Which would stop it.
        await supervisor.agentComes()
        let asked = Task { await supervisor.ask { .signOut($0, epoch: 8, .user) } }
        defer { asked.cancel() }
        await announced(supervisor)
        journal.hold()
        let word = Acknowledging(sender: ":1.5", epoch: 8, instance: registered.instance, outcome: .cleared)
        let said = Task { await supervisor.ask { .acknowledge($0, word) } }
        await journal.waitUntilAsked()
        // The disk takes longer to say that it fails than the app had to clear.
        journal.refuseRecords()
        ahead.set(6_000_000)
        journal.release()
        #expect(await said.value == .refused(.journalFailed))
        let entry = try #require(await supervisor.machine.ledger.roster[app])
        #expect(entry.said == .cleared && entry.state != .containing && entry.explanation.isEmpty, "\(entry)")
    }

    @Test func `costs no app its answer when nobody could be heard while it was written`() async throws {
        let ahead = Held()
        let clock = Clock {
            let now = Clock.system.now()
            return Moment(monotonic: now.monotonic + ahead.value, boottime: now.boottime, wall: now.wall)
        }
        let stall = Held()
        let journal = StallingJournal { if stall.value > 0 { ahead.set(stall.value) } }
        let supervisor = try await Supervisor.alone(with: journal, clock: clock)
        var instances: [Instance] = []
        for name in ["One", "Two"] {
            let app = AppKey(uid: 1, id: "org.example.\(name)")
            let registering = Registering(sender: ":1.\(name)", app: app, pid: 1)
            guard case .registered(let registered) = await supervisor.ask({ .register($0, registering) }) else {
                throw TestingError("not registered")
            }
            instances.append(registered.instance)
        }
        await supervisor.agentComes()
        let asked = Task { await supervisor.ask { .signOut($0, epoch: 8, .user) } }
        defer { asked.cancel() }
        await announced(supervisor)
        stall.set(6_000_000)
        // The first word's write holds the thread up; the second was said meanwhile, and is read afterwards.
        for (name, instance) in zip(["One", "Two"], instances) {
            let word = Acknowledging(sender: ":1.\(name)", epoch: 8, instance: instance, outcome: .cleared)
            #expect(await supervisor.ask { .acknowledge($0, word) } == .done)
        }
        for entry in await supervisor.machine.ledger.roster.values {
            #expect(entry.state != .containing && entry.explanation.isEmpty, "\(entry)")
        }
    }

    @Test func `keeps nobody waiting for an agent that came meanwhile`() async throws {
        // It is awaited for as long as this takes.
        let now = Clock.system.now()
        let journal = HeldJournal()
        let supervisor = try await Supervisor.alone(with: journal, requiresAgent: true, clock: Clock { now })
        journal.hold()
        let registering = Registering(sender: ":1.5", app: AppKey(uid: 1, id: "org.example.App"), pid: 1)
        let asked = Task { await supervisor.ask { .register($0, registering) } }
        await journal.waitUntilAsked()

        let early = Task { await supervisor.waitForAgent(atMost: .seconds(90)) }
        await supervisor.agentComes()
        // The machine hears of it when the journal has written; who comes now is woken by nobody.
        #expect(await supervisor.awaitsAgent)
        await supervisor.waitForAgent(atMost: .seconds(90))
        await early.value
        #expect(await supervisor.awaitsAgent)
        journal.release()
        _ = await asked.value
        await supervisor.drain()
        #expect(await supervisor.machine.isAgentPresent)
    }

    private func announced(_ supervisor: Supervisor) async {
        while await supervisor.machine.ledger.barrier == nil { await Task.yield() }
        await supervisor.drain()
    }
}

/// A journal that writes on the thread of whoever asks, and takes its time.
private final class StallingJournal: ScriptedJournal {
    private let stall: @Sendable () -> Void

    init(_ stall: @escaping @Sendable () -> Void) { self.stall = stall }

    func write(_ records: [Record], then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        stall()
        then(.success(()))
    }

    func write(_ records: [Record]) async throws {}
    func save(_ ledger: Ledger, missed: [Record]) async throws {}
}

private final class Held: Sendable {
    private let held = Mutex<UInt64>(0)

    var value: UInt64 { held.withLock { $0 } }
    func set(_ new: UInt64) { held.withLock { $0 = new } }
}

/// A journal on a disk that takes its time, and so can be looked at while it writes.
private final class HeldJournal: ScriptedJournal {
    private struct State {
        var isHolding = false
        var isAsked = false
        var refuses = false
        var saves = 0
        var writers: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The whole state alone is still taken.
    func refuseRecords() { state.withLock { $0.refuses = true } }
    func takeRecords() { state.withLock { $0.refuses = false } }
    var saves: Int { state.withLock { $0.saves } }

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

    func write(_ records: [Record]) async throws {
        await pause()
        if state.withLock({ $0.refuses }) { throw JournalFault(.notWritten, "journal", "scripted") }
    }

    func save(_ ledger: Ledger, missed: [Record]) async throws {
        await pause()
        state.withLock { $0.saves += 1 }
    }
}
