import GRDB
import TerminalTesting

/// What the journal itself says, read beside a batond that is gone.
struct JournalPages {
    /// What stands there and must not.
    var faults: [String] = []
    /// Wrong PINs of each account.
    var failures: [String: Int] = [:]

    init(of terminal: Terminal) throws {
        let database = try DatabaseQueue(path: "\(terminal.folder)/state/baton/baton.sqlite")
        defer { try? database.close() }
        try database.read { db in
            let broken = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
            faults += broken.map { "the journal is damaged: \($0)" }
            let sql = """
                SELECT coalesce(epochs.epoch, receipts.epoch), epochs.clearing, receipts.epoch, count(*)
                FROM epochs FULL JOIN receipts ON receipts.epoch = epochs.epoch GROUP BY 1
                HAVING epochs.epoch IS NULL OR epochs.clearing IS NULL OR receipts.epoch IS NULL OR count(*) > 1
                """
            for row in try Row.fetchAll(db, sql: sql) { faults.append("not one begin and one end of a turn: \(row)") }
            for row in try Row.fetchAll(db, sql: "SELECT username, failures FROM pin_attempts") {
                failures[row[0]] = row[1]
            }
        }
    }
}
