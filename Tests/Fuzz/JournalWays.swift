import BatonContract
import GRDB
import LocalAccounts
import MachineTesting

@testable import Journal
@testable import SessionMachine
@testable import Supervisor

/// What stands in the state folder: the journal's rows and the file with the epoch.
enum JournalWays {
    static let all: [Way] = [
        Way("rows") { bytes in rows(bytes) },
        Way("epoch") { bytes in _ = EpochMark(text: String(decoding: bytes, as: UTF8.self)) },
    ]

    /// The tables by the first letter of a line, with the columns that hold its key.
    private static let tables: [UInt8: (table: String, columns: [String])] = [
        UInt8(ascii: "d"): ("device", ["id"]), UInt8(ascii: "a"): ("apps", ["uid", "app"]),
        UInt8(ascii: "i"): ("registrations", ["instance"]), UInt8(ascii: "r"): ("roster", ["uid", "app"]),
        UInt8(ascii: "b"): ("barrier", ["id"]), UInt8(ascii: "e"): ("receipts", ["epoch", "ended"]),
        UInt8(ascii: "m"): ("meta", ["key"]),
        UInt8(ascii: "p"): ("pin_attempts", ["username", "failures", "last_failure"]),
    ]

    private static let database: DatabaseQueue? = {
        guard let queue = try? DatabaseQueue() else { return nil }
        try? JournalSchema.migrator.migrate(queue)
        return queue
    }()

    /// Each line is a row: its table's letter, the key's columns, the value. What can be read is gone on with.
    private static func rows(_ bytes: [UInt8]) {
        try? database?.inDatabase { db in
            try db.inTransaction {
                for line in bytes.split(separator: UInt8(ascii: "\n")) { insert(line, db) }
                if let attempts = try? PINAttemptsRow.all(db) { attempts.forEach(tryPIN) }
                if (try? LedgerReading.journalID(db)) != nil, let ledger = try? LedgerReading.ledger(db) {
                    goOn(with: ledger, db)
                }
                return .rollback
            }
        }
    }

    private static func insert(_ line: ArraySlice<UInt8>, _ db: Database) {
        guard let letter = line.first, let (table, columns) = tables[letter] else { return }
        let parts = line.dropFirst().split(
            separator: UInt8(ascii: " "), maxSplits: columns.count, omittingEmptySubsequences: false)
        guard parts.count == columns.count + 1 else { return }
        let last = table == "pin_attempts" ? "locked_until" : "value"
        let marks = databaseQuestionMarks(count: parts.count)
        let values = parts.map { String(decoding: $0, as: UTF8.self).databaseValue }
        // SQLite's own checks refuse some of it.
        try? db.execute(
            sql: "INSERT OR REPLACE INTO \(table) (\((columns + [last]).joined(separator: ", "))) VALUES (\(marks))",
            arguments: StatementArguments(values))
    }

    private static func tryPIN(_ row: PINAttemptsRow) {
        var attempts = PINAttempts(
            username: row.username, failures: row.failures, lockedUntil: row.lockedUntil, lastFailure: row.lastFailure)
        for now in [Int64.min, 0, 1_790_000_000_000_000, .max] {
            _ = attempts.begin(at: now)
            attempts.failed(at: now)
        }
    }

    /// A start with what was read, and what a terminal then goes through; all of it is written again.
    private static func goOn(with ledger: Ledger, _ db: Database) {
        if let receipt = ledger.quarantined { _ = Receipt(receipt, journalID: "").dictionary }
        for record in OlderCopy.records(for: ledger, through: EpochMark(of: ledger), nil, wall: 0, why: []) {
            write(record, db)
        }
        let senders = Set(ledger.registrations.values.map(\.sender))
        for clock in [0, 1 << 40, UInt64.max - 100] {
            var machine = Machine(ledger: ledger, policy: .ordinary)
            let alive = StartFindings(busID: ledger.device.busID, bootID: ledger.device.bootID, alive: senders)
            for (step, kind) in story(ledger, alive).enumerated() {
                let now = Moment(monotonic: clock + UInt64(step), boottime: clock, wall: Int64(clamping: clock))
                for case .journal(let records) in machine.handle(Event(kind, at: now)) {
                    for record in records { write(record, db) }
                }
                _ = machine.publicState(at: now)
            }
        }
    }

    private static func story(_ ledger: Ledger, _ surroundings: StartFindings) -> [Event.Kind] {
        let epoch = ledger.device.epoch
        let app = ledger.registrations.values.first?.app ?? AppKey(uid: 1, id: "org.example.App")
        let registering = Registering(sender: ":1.7", app: app, pid: 7, clearedThrough: epoch)
        var events: [Event.Kind] = [
            .started(surroundings), .agentArrived(1), .agentRegistered(1), .register(1, registering),
        ]
        events += ledger.registrations.sorted { $0.key < $1.key }.prefix(3).map { instance, registration in
            .acknowledge(
                2,
                Acknowledging(
                    sender: registration.sender, epoch: max(epoch, registration.told), instance: instance,
                    outcome: .cleared))
        }
        events += [
            .signOut(3, epoch: nil, .user), .extend(4, ":1.7", epoch, 1, microseconds: .max), .tick,
            .agentReported(1, .browserSignedOut(epoch, .clean, "")),
            .agentReported(1, .sharedHoldersCleared(epoch, [])),
            .disconnected(":1.7"),
            .endQuarantine(5), .signIn(6, ":1.8"), .signInSucceeded(1, TurnAccount(id: "a")), .agentLost(1), .tick,
            .started(surroundings), .forgetApp(8, app), .setMode(9, .personal), .tick,
        ]
        return events
    }

    private static func write(_ record: SessionMachine.Record, _ db: Database) {
        // What contradicts the rows is refused.
        try? LedgerWriting(db: db, key: nil).write(record)
    }
}
