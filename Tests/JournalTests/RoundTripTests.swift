import FolderTesting
import Journal
import Synchronization
import Testing
import Vocabulary

@testable import SessionMachine

@Suite(.timeLimit(.minutes(2))) struct RoundTripTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `what is read back after every write is what the records make of a ledger`(seed: UInt64) async throws {
        let folder = try TemporaryFolder("journal")
        // Above 0, so that barriers before the first turn have an epoch.
        try folder.write("7\n", to: "epoch")
        var opened = try Journal.open(in: folder.path, now: now)
        var life = GeneratedLife(seed: seed, ledger: opened.ledger)
        for _ in 0..<25 {
            try await opened.journal.write(life.transaction())
            opened.journal.close()
            opened = try Journal.open(in: folder.path, now: now)
            #expect(opened.ledger == life.ledger.inOrder)
            #expect(opened.continuity == .same)
            #expect(opened.notices.isEmpty)
        }
    }

    @Test(arguments: 21...24 as ClosedRange<UInt64>)
    func `saving the whole state makes up for any writes that failed`(seed: UInt64) async throws {
        let folder = try TemporaryFolder("journal")
        try folder.write("7\n", to: "epoch")
        let isBroken = Mutex(false)
        let seam: @Sendable ([Record]) throws -> Void = { _ in
            if isBroken.withLock(\.self) { throw Broken() }
        }
        var opened = try Journal.open(in: folder.path, now: now, onWrite: seam)
        var life = GeneratedLife(seed: seed, ledger: opened.ledger)
        for _ in 0..<15 {
            isBroken.withLock { $0 = true }
            var missed: [Record] = []
            for _ in 0..<3 {
                let records = life.transaction()
                if records.isEmpty { continue }
                missed += records
                let journal = opened.journal
                #expect(try await fault { try await journal.write(records) } == .notWritten)
            }
            isBroken.withLock { $0 = false }
            try await opened.journal.save(life.ledger, missed: missed)
            // Once more does no harm: nobody knows whether a write that failed did its work.
            try await opened.journal.save(life.ledger, missed: missed)
            opened.journal.close()
            opened = try Journal.open(in: folder.path, now: now, onWrite: seam)
            #expect(opened.ledger == life.ledger.inOrder)
            #expect(opened.continuity == .same)
        }
    }

    @Test func `receipts come back by epoch and newest first`() async throws {
        let folder = try TemporaryFolder("journal")
        try folder.write("0", to: "epoch")
        let opened = try Journal.open(in: folder.path, now: now)
        for epoch in 1...3 as ClosedRange<Epoch> { try await opened.turn(epoch) }
        #expect(try await opened.journal.receipt(2) == receipt(2))
        #expect(try await opened.journal.receipt(4) == nil)
        #expect(try await opened.journal.receipt(Epoch(rawValue: .max)) == nil)
        #expect(try await opened.journal.receipts(newest: 2).receipts.map(\.epoch) == [3, 2])
        #expect(try await opened.journal.receipts(newest: -1).receipts.isEmpty)
    }

    @Test func `the release of a quarantine stands in its receipt`() async throws {
        let folder = try TemporaryFolder("journal")
        try folder.write("0", to: "epoch")
        let opened = try Journal.open(in: folder.path, now: now)
        try await opened.begin(1)
        try await opened.clear(1)
        try await opened.end(1, .quarantined)
        let release = Barrier.Release(when: 9, by: .administrator, explanation: Explanation(said: "looked at"))
        try await opened.journal.write([.released(1, release)])
        #expect(try await opened.journal.receipt(1)?.release == release)
        #expect(try await fault { try await opened.journal.write([.released(2, release)]) } == .refused)
    }

    @Test func `wrong PINs are counted over restarts until they are forgiven`() async throws {
        let folder = try TemporaryFolder("journal")
        var opened = try Journal.open(in: folder.path, now: now)
        try await opened.journal.savePINAttempts(username: "ana", failures: 1, lastFailure: 5, lockedUntil: 0)
        try await opened.journal.savePINAttempts(username: "ana", failures: 2, lastFailure: 6, lockedUntil: 7)
        try await opened.journal.savePINAttempts(username: "ben", failures: 1, lastFailure: 5, lockedUntil: 0)
        opened.journal.close()
        opened = try Journal.open(in: folder.path, now: now)
        try await opened.journal.clearPINAttempts(username: "ben")
        let left = PINAttemptsRow(username: "ana", failures: 2, lastFailure: 6, lockedUntil: 7)
        #expect(try await opened.journal.pinAttempts() == [left])
    }

    @Test func `after a failed write nothing is written until the whole state is saved`() async throws {
        let folder = try TemporaryFolder("journal")
        let isBroken = Mutex(true)
        let opened = try Journal.open(in: folder.path, now: now) { _ in
            if isBroken.withLock({ $0 }) { throw Broken() }
        }
        let journal = opened.journal
        let first = Record.app(mail, AppRecord(clearedThrough: 1))
        let second = Record.app(notes, AppRecord(clearedThrough: 2))
        #expect(try await fault { try await journal.write([first]) } == .notWritten)
        isBroken.withLock { $0 = false }
        #expect(try await fault { try await journal.write([second]) } == .notWritten)
        var ledger = opened.ledger
        ledger.apply(first)
        try await journal.save(ledger, missed: [first])
        try await journal.write([second])
        ledger.apply(second)
        journal.close()
        #expect(try Journal.open(in: folder.path, now: now).ledger == ledger)
    }

    @Test func `a write is done although the task that asked for it was cancelled`() async throws {
        let folder = try TemporaryFolder("journal")
        let opened = try Journal.open(in: folder.path, now: now)
        let journal = opened.journal
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await journal.write([.app(mail, AppRecord(clearedThrough: 3))])
        }
        try await task.value
        journal.close()
        #expect(try Journal.open(in: folder.path, now: now).ledger.apps[mail]?.clearedThrough == 3)
    }
}

struct Broken: Error {}
