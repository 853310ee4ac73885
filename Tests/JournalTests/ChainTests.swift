import FolderTesting
import GRDB
import Glibc
import Journal
import ReceiptChain
import Synchronization
import Testing
import Vocabulary

@testable import SessionMachine

@Suite(.timeLimit(.minutes(2))) struct ChainTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("journal")
        try folder.write("0", to: "epoch")
    }

    func open(_ retention: Journal.Retention = .none) throws -> Journal.Opened {
        try Journal.open(in: folder.path, now: now, retention: retention)
    }

    // MARK: What is written

    @Test func `each receipt has an entry, and the chain goes on after a restart`() async throws {
        var opened = try open()
        #expect(opened.journal.receiptHead == nil)
        try await opened.turn(1)
        try await opened.turn(2)
        let head = try #require(opened.journal.receiptHead)
        #expect(head.sequence == 2)
        opened.journal.close()
        opened = try open()
        #expect(opened.journal.receiptHead == head && opened.notices == [])
        try await opened.turn(3)
        let findings = try await opened.journal.verified(published: head)
        #expect(findings.entries == 3 && findings.end == .reached(after: 1))
        #expect(findings.journals == [opened.journal.journalID])
        let page = try await opened.journal.chain(.after(0), most: .max, bytes: .max)
        #expect(page.head == opened.journal.receiptHead && page.head?.sequence == 3 && page.unchained == [])
        #expect(page.rows.map(\.entry.epoch) == [1, 2, 3])
    }

    @Test func `a receipt and its entry are written together or not at all`() async throws {
        let opened = try open()
        try await opened.turn(1)
        try await opened.begin(2)
        try await opened.clear(2)
        let head = opened.journal.receiptHead
        let journal = opened.journal
        // The second record is refused.
        #expect(try await fault { try await journal.write([.ended(receipt(2)), .began(2, ana, wall: 1)]) } == .refused)
        #expect(journal.receiptHead == head)
        #expect(try await journal.kinds == ["ended"])
        #expect(try await journal.receipt(2) == nil)
    }

    @Test func `what a receipt says later is an entry of its own, and what it said before is kept`() async throws {
        let opened = try open()
        try await opened.begin(1)
        try await opened.clear(1)
        try await opened.end(1, .quarantined)
        let release = Barrier.Release(when: 9, by: .administrator, explanation: [])
        try await opened.journal.write([.released(1, release)])
        for _ in 1...2 { try await opened.journal.write([.told(1, ProviderReport(.pending, said: "later"))]) }
        try await opened.journal.write([.told(1, ProviderReport(.signedOut, said: ""))])
        // What changes nothing is no entry.
        #expect(try await opened.journal.kinds == ["ended", "released", "told", "told"])
        let texts = try await opened.journal.wholeChain().compactMap(\.receipt)
        #expect(Set(texts).count == 4)
        #expect(texts.map { $0.contains(#""release""#) } == [false, true, true, true])
        #expect(try await opened.journal.fault() == nil)
    }

    @Test func `a receipt that could not be written at once has its entry when it is`() async throws {
        let isBroken = Mutex(false)
        let opened = try Journal.open(in: folder.path, now: now) { _ in
            if isBroken.withLock(\.self) { throw Broken() }
        }
        try await opened.begin(1)
        try await opened.clear(1)
        isBroken.withLock { $0 = true }
        #expect(try await fault { try await opened.end(1) } == .notWritten)
        isBroken.withLock { $0 = false }
        var ledger = opened.ledger
        ledger.device.epoch = 1
        for _ in 1...2 { try await opened.journal.save(ledger, missed: [.ended(receipt(1))]) }
        #expect(try await opened.journal.kinds == ["ended"])
        #expect(opened.journal.receiptHead?.sequence == 1)
    }

    // MARK: What is no longer kept

    @Test func `the oldest entries go with their receipts`() async throws {
        let opened = try open(Journal.Retention(receipts: 2, keep: nil))
        for epoch in 1...5 as ClosedRange<Epoch> { try await opened.turn(epoch) }
        let findings = try await opened.journal.verified()
        #expect(findings.first == 4 && findings.entries == 2 && findings.pruned == 0)
    }

    @Test func `an entry that stays for the chain's sake has no receipt, and another one says why`() async throws {
        let opened = try open(Journal.Retention(receipts: 2, keep: nil))
        try await opened.turn(1)
        try await opened.turn(2)
        // The provider of the first turn could be reached only now.
        for word in ["a", "b"] { try await opened.journal.write([.told(1, ProviderReport(.pending, said: word))]) }
        try await opened.turn(3)
        let rows = try await opened.journal.wholeChain()
        #expect(rows.map(\.entry.kind) == ["ended", "told", "told", "ended", "pruned"])
        #expect(rows.map(\.entry.sequence) == [2, 3, 4, 5, 6])
        #expect(rows.map { $0.receipt != nil } == [true, false, false, true, false])
        #expect(try await opened.journal.verified().pruned == 1)
        #expect(opened.journal.receiptHead?.sequence == 6)
        try await opened.turn(4)
        try await opened.turn(5)
        #expect(try await opened.journal.verified().first == 7)
    }

    @Test func `a receipt that is too old goes alone when a clock went wrong`() async throws {
        let opened = try open(Journal.Retention(receipts: 9, keep: 100))
        try await opened.turn(1, wall: 1000)
        try await opened.turn(2, wall: 3)
        try await opened.turn(3, wall: 1000)
        let rows = try await opened.journal.wholeChain()
        #expect(rows.map(\.entry.kind) == ["ended", "ended", "ended", "pruned"])
        #expect(try await opened.journal.fault() == nil)
        #expect(try await opened.journal.receipt(2) == nil)
    }

    // MARK: Where a part begins

    @Test func `a part begins behind an entry, with a turn or at a time`() async throws {
        let opened = try open()
        for epoch in [3, 5, 8] as [Epoch] { try await opened.turn(epoch) }
        func first(_ start: Journal.ChainStart) async throws -> UInt64? {
            try await opened.journal.chain(start, most: 1, bytes: 1).rows.first?.entry.sequence
        }
        #expect(try await first(.after(0)) == 1)
        #expect(try await first(.after(2)) == 3)
        #expect(try await first(.after(3)) == nil)
        #expect(try await first(.after(.max)) == nil)
        #expect(try await first(.epoch(4)) == 2)
        #expect(try await first(.epoch(9)) == nil)
        #expect(try await first(.epoch(Epoch(rawValue: .max))) == nil)
        #expect(try await first(.time(.min)) == 1)
        #expect(try await first(.time(.max)) == nil)
        #expect(try await opened.journal.chain(.after(0), most: -1, bytes: 1).rows.isEmpty)
        #expect(try await opened.journal.chain(.after(0), most: 0, bytes: 1).head?.sequence == 3)
    }

    // MARK: Journals before and after

    @Test func `receipts of an older version are found, and nothing is said of what they were`() async throws {
        var opened = try open()
        try await opened.turn(1)
        try await opened.turn(2)
        opened.journal.close()
        try sqlite("DROP TABLE receipt_chain; DELETE FROM grdb_migrations WHERE identifier = '2'")
        opened = try open()
        #expect(try await opened.journal.kinds == ["found", "found"])
        try await opened.turn(3)
        let findings = try await opened.journal.verified()
        #expect(findings.found == 2 && findings.foundAt > 0)
        // Only once: a chain that is gone does not come back by itself.
        opened.journal.close()
        try sqlite("DELETE FROM receipt_chain")
        opened = try open()
        #expect(try await opened.journal.fault() == .empty)
        #expect(try await opened.journal.chain(.after(0), most: 1, bytes: 1).unchained == [1, 2, 3])
    }

    @Test func `an older copy of the journal goes on under another id, which a published head tells apart`()
        async throws
    {
        var opened = try open()
        try await opened.turn(1)
        try await opened.begin(2)
        opened.journal.close()
        let copy = folder.database
        opened = try open()
        try await opened.clear(2)
        try await opened.end(2)
        let published = try #require(opened.journal.receiptHead)
        opened.journal.close()
        for name in folder.database.keys { unlink(folder.path(of: name)) }
        try folder.put(copy)
        opened = try open()
        #expect(opened.continuity == .older(copy: 2, known: 2))
        #expect(try await opened.journal.fault(published: published) == .cutOff(head: 2))
        try await opened.turn(3)
        #expect(try await opened.journal.fault(published: published) == .otherHead)
        #expect(try await opened.journal.verified().journals.count == 2)
    }

    @Test func `after a reset another chain begins, with the same key`() async throws {
        var opened = try open()
        try await opened.turn(1)
        let key = opened.journal.receiptKey
        opened.journal.close()
        _ = try Journal.reset(in: folder.path, now: 77)
        opened = try open()
        #expect(opened.journal.receiptKey == key && opened.journal.receiptHead == nil)
    }

    func sqlite(_ sql: String) throws {
        let database = try DatabaseQueue(path: folder.path + "/baton.sqlite")
        defer { try? database.close() }
        try database.write { try $0.execute(sql: sql) }
    }
}
