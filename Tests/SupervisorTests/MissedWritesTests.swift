import LocalAccounts
import Synchronization
import Testing
import Vocabulary

@testable import SessionMachine
@testable import Supervisor

@Suite("What a full disk could not take", .timeLimit(.minutes(1)))
struct MissedWritesTests {
    @Test func `is kept in mind only as far as it must be made up for, whatever goes on meanwhile`() async throws {
        let journal = FullJournal()
        let supervisor = try await Supervisor.alone(with: journal)
        journal.isFull.withLock { $0 = true }
        for number in 0..<300 {
            let request = Registering(sender: ":1.\(number)", app: AppKey(uid: 1000, id: "org.example.App"), pid: 7)
            _ = await supervisor.ask { .register($0, request) }
            await supervisor.post(.disconnected(":1.\(number)"))
        }
        guard case .signedOut(8, _) = await supervisor.ask({ .signOut($0, epoch: 8, .user) }) else {
            Issue.record("the sign-out has no answer")
            return
        }
        for number in 300..<600 {
            let request = Registering(sender: ":1.\(number)", app: AppKey(uid: 1000, id: "org.example.App"), pid: 7)
            _ = await supervisor.ask { .register($0, request) }
            await supervisor.post(.disconnected(":1.\(number)"))
        }
        await supervisor.drain()
        // Those of the write that is tried are counted, too.
        #expect(journal.most.withLock { $0 } < 32)

        journal.isFull.withLock { $0 = false }
        await supervisor.post(.disconnected(":1.0"))
        let request = Registering(sender: ":1.9", app: AppKey(uid: 1000, id: "org.example.App"), pid: 7)
        _ = await supervisor.ask { .register($0, request) }
        let saved = journal.saved.withLock { $0 }
        // What an epoch has only one of is not in the state, so it must have been kept.
        #expect(saved.contains { if case .clearing(8, .user, _) = $0 { true } else { false } })
        #expect(saved.contains { if case .ended(let receipt) = $0 { receipt.epoch == 8 } else { false } })
        #expect(await supervisor.machine.isJournalBroken == false)
    }
}

/// A journal whose disk is full, and for a while only.
private final class FullJournal: ScriptedJournal {
    struct Full: Error {}

    let isFull = Mutex(false)
    /// How many missed records it was ever handed at once.
    let most = Mutex(0)
    let saved = Mutex<[Record]>([])

    func write(_ records: [Record]) async throws { if isFull.withLock({ $0 }) { throw Full() } }

    func save(_ ledger: Ledger, missed: [Record]) async throws {
        most.withLock { $0 = max($0, missed.count) }
        if isFull.withLock({ $0 }) { throw Full() }
        saved.withLock { $0 = missed }
    }
}
