internal import GRDB
public import Supervision

extension Journal {
    /// The receipt of an epoch; nil when its sign-out has not ended, or when it is no longer kept.
    public func receipt(_ epoch: Epoch) async throws(JournalFault) -> ReceiptRecord? {
        try await look { db in try LedgerReading.receipt(epoch, db) }
    }

    /// The newest receipts, newest first.
    public func receipts(newest count: Int) async throws(JournalFault) -> [ReceiptRecord] {
        try await look { db in
            let sql = "SELECT value FROM receipts ORDER BY epoch DESC LIMIT ?"
            return try Row.fetchAll(db, sql: sql, arguments: [Int64(max(count, 0))])
                .map { try JournalCoding.value(ReceiptRecord.self, $0[0], "receipts") }
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
    init(reading file: String, _ error: any Error) {
        switch error {
        case let fault as JournalFault: self = fault
        case let unusable as UnusableValue: self.init(.damaged, file, unusable.what)
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM,
                .SQLITE_FULL, .SQLITE_AUTH, .SQLITE_MISUSE:
                self.init(.inaccessible, file, "it cannot be read: \(error.plainText)")
            default: self.init(.damaged, file, "it cannot be read: \(error.plainText)")
            }
        default: self.init(.damaged, file, "it cannot be read: \(error)")
        }
    }
}
