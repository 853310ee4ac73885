import GRDB
public import ReceiptChain
import Synchronization
public import Vocabulary

extension Journal {
    /// Where a part of the chain begins.
    public enum ChainStart: Hashable, Sendable {
        /// Behind the entry with this number; 0: with the oldest.
        case after(UInt64)
        /// With the first entry of this turn or of a later one.
        case epoch(Epoch)
        /// With the first entry of this Unix time in microseconds, or of a later one.
        case time(Int64)
    }

    public struct ChainRow: Hashable, Sendable {
        public var entry: ChainEntry
        /// The receipt's text; nil: it is no longer kept.
        public var receipt: String?
    }

    /// A part of the chain, and what is to be known of the whole.
    public struct ChainPage: Sendable {
        public var rows: [ChainRow] = []
        /// Nil: there is no entry yet.
        public var head: ChainHead?
        /// Turns with a receipt and without an entry, which batond did not write; of many only the first ones.
        public var unchained: [Epoch] = []

        public init() {}
    }

    private static let mostUnchained = 100
    /// About what an entry takes without its receipt, in bytes.
    private static let entryLength = 512

    /// What receipts are signed with; there always is one.
    public var receiptKey: ReceiptPublicKey? { key.publicKey }

    /// The newest entry that is on the disk; nil as long as the chain is empty.
    public var receiptHead: ChainHead? { state.withLock(\.head) }

    /// Entries in the order of their numbers, without a gap.
    ///
    /// - Parameter most: No more than so many.
    /// - Parameter bytes: At about which length no more are read; the first is always given.
    public func chain(_ start: ChainStart, most: Int, bytes: Int) async throws(JournalFault) -> ChainPage {
        try await look { db in
            var page = ChainPage()
            page.head = try ChainReading.last(db)?.head
            page.unchained = try Self.unchained(db)
            guard most > 0, let first = try Self.first(start, db) else { return page }
            let sql = """
                SELECT c.sequence, c.journal, c.epoch, c.kind, c.time, c.receipt, c.previous, c.key, c.signature,
                    coalesce(c.replaced, r.value)
                FROM receipt_chain c LEFT JOIN receipts r ON r.epoch = c.epoch
                WHERE c.sequence >= ? ORDER BY c.sequence LIMIT ?
                """
            let rows = try Row.fetchCursor(db, sql: sql, arguments: [first, Int64(most)])
            var room = bytes
            while room > 0, let row = try rows.next() {
                let text: DatabaseValue = row[9]
                let receipt = text.isNull ? nil : try JournalCoding.text(text, "receipt_chain")
                let length = Self.entryLength + (receipt?.utf8.count ?? 0)
                guard page.rows.isEmpty || length <= room else { break }
                room -= min(room, length)
                page.rows.append(ChainRow(entry: try ChainReading.entry(row), receipt: receipt))
            }
            return page
        }
    }

    /// The number of the first entry; nil if no entry fits.
    private static func first(_ start: ChainStart, _ db: Database) throws -> Int64? {
        let (isWanted, value): (String, Int64) =
            switch start {
            case .after(let sequence): ("sequence > ?", Int64(clamping: sequence))
            case .epoch(let epoch): ("epoch >= ?", Int64(clamping: epoch.rawValue))
            case .time(let time): ("time >= ?", time)
            }
        let sql = "SELECT sequence FROM receipt_chain WHERE \(isWanted) AND sequence > 0 ORDER BY sequence LIMIT 1"
        return try Int64.fetchOne(db, sql: sql, arguments: [value])
    }

    private static func unchained(_ db: Database) throws -> [Epoch] {
        let sql = """
            SELECT epoch FROM receipts
            WHERE NOT EXISTS (SELECT 1 FROM receipt_chain WHERE receipt_chain.epoch = receipts.epoch)
            ORDER BY epoch LIMIT \(mostUnchained)
            """
        return try Int64.fetchAll(db, sql: sql).map { Epoch(clamping: $0) }
    }
}
