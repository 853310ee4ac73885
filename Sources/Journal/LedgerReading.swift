import GRDB
import SessionMachine
import Vocabulary

/// Reads a ledger back, by applying records, as the machine does.
enum LedgerReading {
    static func ledger(_ db: Database) throws -> Ledger {
        guard let row = try Row.fetchOne(db, sql: "SELECT value FROM device WHERE id = 1") else {
            throw UnusableValue("the row about the device is missing")
        }
        let device = try JournalCoding.value(Ledger.DeviceRecord.self, row[0], "device")
        guard device.epoch <= .greatest, device.nextInstance <= .greatest,
            device.turn.map({ $0.epoch == device.epoch }) ?? true
        else {
            throw UnusableValue("the row about the device contradicts itself")
        }
        var ledger = Ledger(epoch: device.epoch)
        ledger.apply(.device(device))
        for row in try Row.fetchAll(db, sql: "SELECT uid, app, value FROM apps") {
            let value = try JournalCoding.value(AppRecord.self, row[2], "apps")
            ledger.apply(.app(try key(row, "apps"), value))
        }
        for row in try Row.fetchAll(db, sql: "SELECT instance, value FROM registrations ORDER BY instance") {
            let instance = Instance(rawValue: try JournalCoding.number(row[0], "registrations"))
            let value = try JournalCoding.value(Registration.self, row[1], "registrations")
            ledger.apply(.registration(instance, value))
        }
        for row in try Row.fetchAll(db, sql: "SELECT uid, app, value FROM roster") {
            let value = try JournalCoding.value(RosterEntry.self, row[2], "roster")
            ledger.apply(.entry(try key(row, "roster"), value))
        }
        if let row = try Row.fetchOne(db, sql: "SELECT value FROM barrier WHERE id = 1") {
            ledger.apply(.barrier(try JournalCoding.value(Barrier.self, row[0], "barrier")))
        }
        // Every receipt is read, so that one that cannot be is found at the start and not when a caller asks for it.
        var last: ReceiptRecord?
        for row in try Row.fetchAll(db, sql: "SELECT value FROM receipts ORDER BY epoch") {
            last = try JournalCoding.value(ReceiptRecord.self, row[0], "receipts")
        }
        if let last, last.outcome == .quarantined, last.release == nil { ledger.apply(.ended(last)) }
        return ledger
    }

    static func journalID(_ db: Database) throws -> String {
        guard let row = try Row.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'journal-id'") else {
            throw UnusableValue("the journal's id is missing")
        }
        return try JournalCoding.text(row[0], "meta")
    }

    static func receipt(_ epoch: Epoch, _ db: Database) throws -> ReceiptRecord? {
        try receiptText(epoch, db).map { try JournalCoding.value(ReceiptRecord.self, $0, "receipts") }
    }

    static func receiptText(_ epoch: Epoch, _ db: Database) throws -> String? {
        guard let epoch = try? JournalCoding.column(epoch) else { return nil }
        let row = try Row.fetchOne(db, sql: "SELECT value FROM receipts WHERE epoch = ?", arguments: [epoch])
        return try row.map { try JournalCoding.text($0[0], "receipts") }
    }

    private static func key(_ row: Row, _ table: String) throws -> AppKey {
        AppKey(uid: try JournalCoding.number(row[0], table), id: try JournalCoding.text(row[1], table))
    }
}
