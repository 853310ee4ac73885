import GRDB
import ReceiptChain
import SessionMachine
import Vocabulary

/// Writes records; the caller holds the transaction.
struct LedgerWriting {
    let db: Database
    /// Nil: receipts get no entry, as in what only tries the rows.
    let chain: ChainWriting?

    init(db: Database, key: ReceiptKey?) {
        self.db = db
        chain = key.map { ChainWriting(db: db, key: $0) }
    }

    /// Compiled once for each text, which are few: a sign-out writes hundreds of rows.
    private func run(sql: String, arguments: StatementArguments = StatementArguments()) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func write(_ record: SessionMachine.Record) throws {
        switch record {
        case .device(let value): try put("device", value)
        case .app(let key, let value): try put("apps", key, value)
        case .registration(let instance, let value): try put(instance, value)
        case .entry(let key, let value): try put("roster", key, value)
        case .rosterCleared: try run(sql: "DELETE FROM roster")
        case .barrier(let value?): try put("barrier", value)
        case .barrier(nil): try run(sql: "DELETE FROM barrier")
        case .began(let epoch, let holder, let wall): try begin(epoch, holder, wall)
        case .clearing(let epoch, let reason, let wall): try clear(epoch, reason, wall)
        case .ended(let receipt): try end(receipt)
        case .released(let epoch, let release): try change(epoch, .released) { $0.release = release }
        case .told(let epoch, let report): try told(epoch, report)
        }
    }

    // MARK: What is written once for each epoch

    private func begin(_ epoch: Epoch, _ holder: TurnAccount, _ wall: Int64) throws {
        let number = try JournalCoding.column(epoch)
        let highest = try Int64.fetchOne(
            db, sql: "SELECT max(coalesce((SELECT max(epoch) FROM epochs), 0), epoch) FROM device")
        if let highest, number <= highest {
            throw UnusableValue("epoch \(epoch) cannot begin, epoch \(highest) has begun already")
        }
        try run(
            sql: "INSERT INTO epochs (epoch, holder, began) VALUES (?, ?, ?)",
            arguments: [number, try JournalCoding.text(holder), wall])
    }

    private func clear(_ epoch: Epoch, _ reason: SignOutReason, _ wall: Int64) throws {
        try run(
            sql: "UPDATE epochs SET reason = ?, clearing = ? WHERE epoch = ? AND clearing IS NULL",
            arguments: [reason.rawValue, wall, try JournalCoding.column(epoch)])
        if db.changesCount != 1 {
            throw UnusableValue("the sign-out of epoch \(epoch) cannot begin: there is none, or it began already")
        }
    }

    private func end(_ receipt: ReceiptRecord) throws {
        let epoch = try JournalCoding.column(receipt.epoch)
        let begun = "SELECT 1 FROM epochs WHERE epoch = ? AND clearing IS NOT NULL"
        guard try Row.fetchOne(db, sql: begun, arguments: [epoch]) != nil else {
            throw UnusableValue("the sign-out of epoch \(receipt.epoch) cannot end: it did not begin")
        }
        let text = try JournalCoding.text(receipt)
        try run(
            sql: "INSERT INTO receipts (epoch, ended, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            arguments: [epoch, receipt.ended, text])
        if db.changesCount != 1 {
            throw UnusableValue("the sign-out of epoch \(receipt.epoch) has ended already")
        }
        try chain?.append(.ended, of: epoch, text)
    }

    /// The receipt may have been pruned while the provider was away.
    private func told(_ epoch: Epoch, _ report: ProviderReport) throws {
        guard try LedgerReading.receipt(epoch, db) != nil else { return }
        try change(epoch, .told) { $0.provider = report }
    }

    private func change(
        _ epoch: Epoch, _ kind: ChainEntry.Kind, _ change: (inout ReceiptRecord) -> Void
    ) throws {
        guard let before = try LedgerReading.receiptText(epoch, db) else {
            throw UnusableValue("epoch \(epoch) has no receipt that could be changed")
        }
        var receipt = try JournalCoding.value(ReceiptRecord.self, before, "receipts")
        change(&receipt)
        let text = try JournalCoding.text(receipt)
        guard text != before else { return }
        let column = try JournalCoding.column(epoch)
        try chain?.keep(before, of: column)
        try run(sql: "UPDATE receipts SET value = ? WHERE epoch = ?", arguments: [text, column])
        try chain?.append(kind, of: column, text)
    }

    // MARK: Rows that are written whole

    private func put(_ table: String, _ value: some Encodable) throws {
        try run(
            sql: "INSERT INTO \(table) (id, value) VALUES (1, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            arguments: [try JournalCoding.text(value)])
    }

    private func put(_ table: String, _ app: AppKey, _ value: (some Encodable)?) throws {
        let key = try JournalCoding.key(app.id)
        guard let value else {
            let sql = "DELETE FROM \(table) WHERE uid = ? AND app = ?"
            return try run(sql: sql, arguments: [Int64(app.uid), key])
        }
        try run(
            sql: """
                INSERT INTO \(table) (uid, app, value) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """,
            arguments: [Int64(app.uid), key, try JournalCoding.text(value)])
    }

    private func put(_ instance: Instance, _ value: Registration?) throws {
        let number = try JournalCoding.column(instance)
        guard let value else {
            return try run(sql: "DELETE FROM registrations WHERE instance = ?", arguments: [number])
        }
        try run(
            sql: """
                INSERT INTO registrations (instance, value) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """,
            arguments: [number, try JournalCoding.text(value)])
    }
}
