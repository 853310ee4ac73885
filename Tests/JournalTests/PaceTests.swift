import FolderTesting
import Synchronization
import Testing
import Vocabulary

@testable import Journal
@testable import SessionMachine

@Suite(.timeLimit(.minutes(1))) struct PaceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("journal") }

    @Test func `a write is made at once while writes are quick, few and alone`() {
        var pace = JournalPace()
        #expect(!pace.isAtOnce(records: 1))
        for _ in 0..<8 { pace.took(1000) }
        #expect(pace.isAtOnce(records: 1))
        #expect(!pace.isAtOnce(records: 1000))
        pace.asked()
        #expect(!pace.isAtOnce(records: 1))
        pace.done()
        #expect(pace.isAtOnce(records: 1))
        pace.took(1_000_000_000)
        #expect(!pace.isAtOnce(records: 1))
    }

    @Test func `what is written at once is on the disk and known when the call returns`() async throws {
        let opened = try Journal.open(in: folder.path, now: now)
        let journal = opened.journal
        let results = Mutex<[Bool]>([])
        func write(_ epoch: Epoch) {
            journal.state.withLock { state in for _ in 0..<8 { state.pace.took(0) } }
            journal.write([.began(epoch, TurnAccount(id: "local#ana"), wall: 1)]) { result in
                results.withLock { $0.append((try? result.get()) != nil) }
            }
        }
        let next = opened.ledger.device.epoch.next
        write(next)
        #expect(results.withLock(\.self) == [true])
        // Refused, since it contradicts the first, and told as promptly.
        write(next)
        #expect(results.withLock(\.self) == [true, false])
        write(next.next)
        #expect(results.withLock(\.self) == [true, false, true])
        journal.close()
    }
}
