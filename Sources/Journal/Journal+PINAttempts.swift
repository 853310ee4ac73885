import Checkpoints
import GRDB

/// The wrong PINs that were given for one local account; never a PIN.
public struct PINAttemptsRow: Hashable, Sendable {
    public var username: String
    public var failures: Int
    /// Unix time in microseconds.
    public var lastFailure: Int64
    /// Unix time in microseconds; 0: not locked.
    public var lockedUntil: Int64

    public init(username: String, failures: Int, lastFailure: Int64, lockedUntil: Int64) {
        self.username = username
        self.failures = failures
        self.lastFailure = lastFailure
        self.lockedUntil = lockedUntil
    }
}

extension PINAttemptsRow {
    static func all(_ db: Database) throws -> [PINAttemptsRow] {
        let sql = "SELECT username, failures, last_failure, locked_until FROM pin_attempts ORDER BY username"
        return try Row.fetchAll(db, sql: sql).map { row in
            PINAttemptsRow(
                username: try JournalCoding.text(row[0], "pin_attempts"),
                failures: try JournalCoding.number(row[1], "pin_attempts"),
                lastFailure: try JournalCoding.integer(row[2], "pin_attempts"),
                lockedUntil: try JournalCoding.integer(row[3], "pin_attempts"))
        }
    }
}

extension Journal {
    public func pinAttempts() async throws(JournalFault) -> [PINAttemptsRow] {
        try await look { db in try PINAttemptsRow.all(db) }
    }

    /// Writes them in the place of the account's former ones; durable on return, so that a restart gives no new tries.
    public func savePINAttempts(
        username: String, failures: Int, lastFailure: Int64, lockedUntil: Int64
    ) async throws(JournalFault) {
        try await perform { [self] db in
            try onWrite?([])
            checkpoint("PIN: before a try is counted")
            try db.execute(
                sql: """
                    INSERT INTO pin_attempts (username, failures, last_failure, locked_until) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET failures = excluded.failures, last_failure = excluded.last_failure,
                        locked_until = excluded.locked_until
                    """,
                arguments: [try JournalCoding.key(username), Int64(failures), lastFailure, lockedUntil])
            checkpoint("PIN: after a try was counted")
        }
    }

    public func clearPINAttempts(username: String) async throws(JournalFault) {
        try await perform { [self] db in
            try onWrite?([])
            checkpoint("PIN: before the tries are forgotten")
            let sql = "DELETE FROM pin_attempts WHERE username = ?"
            try db.execute(sql: sql, arguments: [try JournalCoding.key(username)])
            checkpoint("PIN: after the tries were forgotten")
        }
    }
}
