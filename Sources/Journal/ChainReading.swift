import GRDB
import ReceiptChain
import Vocabulary

/// Reads the chain of receipts; what another program has put there is read as it stands, as far as it can be.
enum ChainReading {
    /// What the next entry follows. A number that batond never gives counts for nothing: nothing could follow it.
    static func last(_ db: Database) throws -> ChainEntry? {
        let sql = """
            SELECT \(columns) FROM receipt_chain WHERE sequence BETWEEN 1 AND \(ChainEntry.greatestSequence - 1)
            ORDER BY sequence DESC LIMIT 1
            """
        return try Row.fetchOne(db.cachedStatement(sql: sql)).map(entry)
    }

    static let columns = "sequence, journal, epoch, kind, time, receipt, previous, key, signature"

    /// - Parameter row: It begins with `columns`.
    static func entry(_ row: Row) throws -> ChainEntry {
        func text(_ index: Int) throws -> String { try JournalCoding.text(row[index], "receipt_chain") }
        return ChainEntry(
            sequence: try JournalCoding.number(row[0], "receipt_chain"), journalID: try text(1),
            epoch: Epoch(rawValue: UInt64(bitPattern: try JournalCoding.integer(row[2], "receipt_chain"))),
            kind: try text(3), time: try JournalCoding.integer(row[4], "receipt_chain"), receiptHash: try text(5),
            previous: try text(6), keyID: try text(7), signature: try text(8))
    }
}
