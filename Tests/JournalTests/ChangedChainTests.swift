import FolderTesting
import GRDB
import Journal
import ReceiptChain
import Testing
import Vocabulary

@testable import SessionMachine

/// A root who has no key, or forgets that there is one, with another program at the database.
@Suite(.timeLimit(.minutes(2))) struct ChangedChainTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("journal")
        try folder.write("0", to: "epoch")
    }

    /// Five turns, of which the fourth was quarantined and released: six entries; then what somebody does to them.
    private func changed(_ sql: String) async throws -> (opened: Journal.Opened, published: ChainHead) {
        let opened = try Journal.open(in: folder.path, now: now)
        for epoch in 1...3 as ClosedRange<Epoch> { try await opened.turn(epoch) }
        try await opened.begin(4)
        try await opened.clear(4)
        try await opened.end(4, .quarantined)
        try await opened.journal.write([.released(4, Barrier.Release(when: 1, by: .retry, explanation: []))])
        try await opened.turn(5)
        let published = try #require(opened.journal.receiptHead)
        #expect(published.sequence == 6)
        #expect(try await opened.journal.fault(published: published) == nil)
        opened.journal.close()
        let database = try DatabaseQueue(path: folder.path + "/baton.sqlite")
        try await database.write { try $0.execute(sql: sql) }
        try database.close()
        return (try Journal.open(in: folder.path, now: now), published)
    }

    @Test(
        arguments: [
            ("UPDATE receipts SET value = replace(value, 'Ana', 'Bo') WHERE epoch = 2", .receiptChanged),
            (
                "UPDATE receipts SET value = (SELECT value FROM receipts WHERE epoch = 1) WHERE epoch = 2",
                .receiptChanged
            ),
            ("UPDATE receipt_chain SET replaced = replace(replaced, 'Ana', 'Bo')", .receiptChanged),
            ("UPDATE receipt_chain SET replaced = NULL", .receiptChanged),
            ("DELETE FROM receipts WHERE epoch = 2", .receiptMissing),
            ("DELETE FROM receipt_chain WHERE epoch = 2", .missing(from: 2)),
            ("DELETE FROM receipts WHERE epoch = 2; DELETE FROM receipt_chain WHERE epoch = 2", .missing(from: 2)),
            ("DELETE FROM receipt_chain WHERE kind = 'released'", .missing(from: 5)),
            (
                """
                DELETE FROM receipt_chain WHERE sequence = 2;
                UPDATE receipt_chain SET sequence = -sequence WHERE sequence > 2;
                UPDATE receipt_chain SET sequence = -sequence - 1 WHERE sequence < 0
                """, .changed
            ),
            ("UPDATE receipt_chain SET epoch = 5 - epoch WHERE epoch IN (2, 3)", .changed),
            (
                """
                UPDATE receipt_chain SET sequence = 99 WHERE sequence = 2; UPDATE receipt_chain SET sequence = 2 WHERE sequence = 3;
                UPDATE receipt_chain SET sequence = 3 WHERE sequence = 99
                """, .changed
            ),
            (
                "UPDATE receipt_chain SET kind = 'pruned' WHERE epoch = 2; DELETE FROM receipts WHERE epoch = 2",
                .changed
            ),
            ("UPDATE receipt_chain SET time = 1 WHERE sequence = 6", .changed),
            ("UPDATE receipt_chain SET signature = '' WHERE sequence = 6", .malformed),
            ("UPDATE receipt_chain SET previous = upper(previous) WHERE sequence = 6", .malformed),
            (
                """
                INSERT INTO receipt_chain SELECT 7, journal, epoch, kind, time, receipt, previous, key, signature, NULL FROM receipt_chain
                WHERE sequence = 6
                """, .changed
            ),
        ] as [(String, ChainFault.Kind)])
    func `each manipulation is found without a published head`(sql: String, kind: ChainFault.Kind) async throws {
        let (opened, _) = try await changed(sql)
        #expect(try await opened.journal.fault() == kind)
    }

    @Test func `the end that was cut off is found by the published head, also when the chain went on`() async throws {
        let sql = "DELETE FROM receipts WHERE epoch = 5; DELETE FROM receipt_chain WHERE epoch = 5"
        let (opened, published) = try await changed(sql)
        #expect(try await opened.journal.fault() == nil)
        #expect(try await opened.journal.fault(published: published) == .cutOff(head: 6))
        try await opened.turn(6)
        #expect(try await opened.journal.fault(published: published) == .otherHead)
    }

    @Test func `a receipt that batond did not write has no entry`() async throws {
        let (opened, _) = try await changed(
            "INSERT INTO receipts (epoch, ended, value) SELECT 17, ended, value FROM receipts WHERE epoch = 5")
        #expect(try await opened.journal.fault() == nil)
        #expect(try await opened.journal.chain(.after(0), most: 0, bytes: 1).unchained == [17])
    }

    @Test func `batond signs nothing that was changed before as if it were its own`() async throws {
        let (opened, _) = try await changed("UPDATE receipts SET value = replace(value, 'Ana', 'Bo') WHERE epoch = 5")
        try await opened.journal.write([.told(5, ProviderReport(.pending, said: ""))])
        // The new entry has the changed text, and the one before still shows that it was changed.
        #expect(try await opened.journal.fault() == .receiptChanged)
    }

    @Test(arguments: ["-1", "0", "9007199254740992", "9223372036854775807"])
    func `a number that batond never gives keeps no sign-out from being written`(number: String) async throws {
        let (opened, published) = try await changed(
            """
            INSERT INTO receipt_chain SELECT \(number), journal, epoch, kind, time, receipt, previous, key, signature, NULL
            FROM receipt_chain WHERE sequence = 6
            """)
        try await opened.turn(6)
        #expect(opened.journal.receiptHead?.sequence == 7)
        let fault = try await opened.journal.fault(published: published)
        #expect(number.hasPrefix("9") ? fault != nil : fault == nil)
    }
}
