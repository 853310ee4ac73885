import GRDB
import Glibc
import ReceiptChain
import Vocabulary

/// Adds to the chain of receipts, in the transaction that writes the receipt; the caller holds it.
///
/// An entry has the hash of its receipt. The text itself stands in `receipts`, and in the entry only once the receipt says
/// something else, so that each text that was signed is kept once.
struct ChainWriting {
    let db: Database
    let key: ReceiptKey

    /// After the receipt was written.
    ///
    /// - Parameter epoch: The row's key in `receipts`.
    /// - Parameter text: What stands there.
    func append(_ kind: ChainEntry.Kind, of epoch: Int64, _ text: String) throws {
        try append(kind, of: epoch, hash: ChainEntry.hash(ofReceipt: text))
    }

    private func append(_ kind: ChainEntry.Kind, of epoch: Int64, hash: String) throws {
        let last = try ChainReading.last(db)
        let entry = try key.signed(
            ChainEntry(
                sequence: (last?.sequence ?? 0) + 1, journalID: try LedgerReading.journalID(db),
                epoch: Epoch(clamping: epoch), kind: kind.rawValue, time: Self.now, receiptHash: hash,
                previous: last?.hash ?? ChainEntry.beginning, keyID: key.publicKey.id))
        try db.cachedStatement(
            sql: """
                INSERT INTO receipt_chain (sequence, journal, epoch, kind, time, receipt, previous, key, signature)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            Int64(clamping: entry.sequence), entry.journalID, epoch, entry.kind, entry.time, entry.receiptHash,
            entry.previous, entry.keyID, entry.signature,
        ])
    }

    /// Before a receipt gets another text: the one that was signed goes to its entry.
    func keep(_ text: String, of epoch: Int64) throws {
        try db.execute(
            sql: """
                UPDATE receipt_chain SET replaced = ?
                WHERE sequence = (SELECT max(sequence) FROM receipt_chain WHERE epoch = ?)
                """, arguments: [text, epoch])
    }

    /// Takes up the receipts that were written before there was a chain.
    func adopt() throws {
        for row in try Row.fetchAll(db, sql: "SELECT epoch, value FROM receipts ORDER BY epoch") {
            try append(
                .found, of: try JournalCoding.integer(row[0], "receipts"), try JournalCoding.text(row[1], "receipts"))
        }
    }

    /// After receipts were removed as the settings say: the oldest entries go with them. An entry that must stay, so that the
    /// chain has no gap, goes on without its receipt, and a new one says so.
    func prune(_ epochs: [Int64]) throws {
        guard !epochs.isEmpty else { return }
        try db.execute(
            sql: """
                DELETE FROM receipt_chain WHERE sequence < (
                    SELECT sequence FROM receipt_chain
                    WHERE EXISTS (SELECT 1 FROM receipts WHERE receipts.epoch = receipt_chain.epoch)
                    ORDER BY sequence LIMIT 1)
                """)
        for epoch in epochs {
            let sql = "SELECT receipt FROM receipt_chain WHERE epoch = ? ORDER BY sequence DESC LIMIT 1"
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [epoch]) else { continue }
            try db.execute(sql: "UPDATE receipt_chain SET replaced = NULL WHERE epoch = ?", arguments: [epoch])
            try append(.pruned, of: epoch, hash: try JournalCoding.text(row[0], "receipt_chain"))
        }
    }

    /// Unix time in microseconds, as the machine's clock has it when the entry is signed.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000)
        return overflow ? 0 : seconds &+ Int64(time.tv_nsec) / 1000
    }
}
