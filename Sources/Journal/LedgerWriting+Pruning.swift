import GRDB
import SessionMachine

extension LedgerWriting {
    /// Removes the receipts that are too many or too old; the one just written stays, so an open quarantine keeps its.
    func prune(_ retention: Journal.Retention, after newest: ReceiptRecord) throws {
        let epoch = try JournalCoding.column(newest.epoch)
        var removed = try Int64.fetchAll(
            db,
            sql: """
                DELETE FROM receipts WHERE epoch < ? AND epoch NOT IN
                    (SELECT epoch FROM receipts ORDER BY epoch DESC LIMIT ?) RETURNING epoch
                """,
            arguments: [epoch, Int64(max(retention.receipts, 1))])
        if let keep = retention.keep {
            let (oldest, overflow) = newest.ended.subtractingReportingOverflow(keep)
            if !overflow {
                removed += try Int64.fetchAll(
                    db, sql: "DELETE FROM receipts WHERE epoch < ? AND ended < ? RETURNING epoch",
                    arguments: [epoch, oldest])
            }
        }
        try chain?.prune(removed)
        // An epoch goes with its receipt, or the table would grow for ever.
        try db.execute(sql: "DELETE FROM epochs WHERE epoch < (SELECT min(epoch) FROM receipts)")
    }
}
