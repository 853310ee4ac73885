import GRDB
public import SessionMachine
public import Vocabulary

extension Journal {
    /// The receipt of an epoch; nil when its sign-out has not ended, or when it is no longer kept.
    public func receipt(_ epoch: Epoch) async throws(JournalFault) -> ReceiptRecord? {
        try await look { db in try LedgerReading.receipt(epoch, db) }
    }

    /// Receipts, the newest first.
    public struct Newest: Sendable {
        public var receipts: [ReceiptRecord] = []
        /// How many more were asked for and are there, all of them older.
        public var leftOut = 0

        public init() {}
    }

    /// The newest receipts, as many as there is room for.
    ///
    /// - Parameter bytes: At about which length of their rows no more are read; the first is always given.
    public func receipts(newest count: Int, bytes: Int = .max) async throws(JournalFault) -> Newest {
        try await look { db in
            var newest = Newest()
            let wanted = Int64(max(count, 0))
            let sql = "SELECT value FROM receipts ORDER BY epoch DESC LIMIT ?"
            let rows = try Row.fetchCursor(db, sql: sql, arguments: [wanted])
            var room = bytes
            while room > 0, let row = try rows.next() {
                let text = try JournalCoding.text(row[0], "receipts")
                guard newest.receipts.isEmpty || text.utf8.count <= room else { break }
                room -= min(room, text.utf8.count)
                newest.receipts.append(try JournalCoding.value(ReceiptRecord.self, text, "receipts"))
            }
            if newest.receipts.count < wanted {
                let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM receipts") ?? 0
                newest.leftOut = max(0, Int(min(wanted, Int64(all))) - newest.receipts.count)
            }
            return newest
        }
    }

    func look<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(JournalFault)
        -> Value
    {
        try await perform { [file] db in
            do { return try body(db) } catch { throw JournalFault(reading: file, error) }
        }
    }
}

extension JournalFault {
    /// What stands there cannot be read; other failures of the disk are of its room, or of locks.
    private static let unreadable: [ResultCode] = [
        .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ,
        // SQLITE_IOERR_CORRUPTFS, which GRDB has no name for.
        ResultCode(rawValue: 10 | 33 << 8),
    ]

    init(reading file: String, _ error: any Error) {
        switch error {
        case let fault as JournalFault: self = fault
        case let unusable as UnusableValue: self.init(.damaged, file, unusable.what)
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_IOERR where Self.unreadable.contains(error.extendedResultCode):
                self.init(.damaged, file, "it cannot be read: \(error.plainText)")
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM,
                .SQLITE_FULL, .SQLITE_AUTH, .SQLITE_MISUSE, .SQLITE_IOERR, .SQLITE_PROTOCOL:
                self.init(.inaccessible, file, "it cannot be read: \(error.plainText)")
            default: self.init(.damaged, file, "it cannot be read: \(error.plainText)")
            }
        default: self.init(.damaged, file, "it cannot be read: \(error)")
        }
    }
}
