import GRDB
import ReceiptChain

/// The tables.
///
/// Each row holds its value as JSON, the one truth; what people would query is computed from that, so that the two
/// cannot differ (`ANY`, since a number above SQLite's range is a real one there). Numbers that are keys are columns of
/// their own.
enum JournalSchema {
    /// "Batn".
    static let applicationID: Int32 = 0x4261_746E

    static var migrator: DatabaseMigrator { migrator(key: nil) }

    /// - Parameter key: Signs the receipts that are there already; nil: they are left without an entry.
    static func migrator(key: ReceiptKey?) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: first) }
        migrator.registerMigration("2") { db in
            try db.execute(sql: second)
            if let key { try ChainWriting(db: db, key: key).adopt() }
        }
        return migrator
    }

    private static let first = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

        CREATE TABLE device (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            value TEXT NOT NULL,
            mode ANY AS (value ->> '$.mode'),
            epoch ANY AS (value ->> '$.epoch'),
            account ANY AS (value ->> '$.turn.holder.id')
        ) STRICT;

        CREATE TABLE apps (
            uid INTEGER NOT NULL,
            app TEXT NOT NULL,
            value TEXT NOT NULL,
            cleared_through ANY AS (value ->> '$.clearedThrough'),
            owed ANY AS (value ->> '$.owed'),
            PRIMARY KEY (uid, app)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE registrations (
            instance INTEGER PRIMARY KEY,
            value TEXT NOT NULL,
            uid ANY AS (value ->> '$.app.uid'),
            app ANY AS (value ->> '$.app.id'),
            sender ANY AS (value ->> '$.sender'),
            connected ANY AS (value ->> '$.connected'),
            must_clear ANY AS (value ->> '$.mustClear')
        ) STRICT;

        CREATE TABLE roster (
            uid INTEGER NOT NULL,
            app TEXT NOT NULL,
            value TEXT NOT NULL,
            state ANY AS (value ->> '$.state'),
            PRIMARY KEY (uid, app)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE barrier (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            value TEXT NOT NULL,
            epoch ANY AS (value ->> '$.epoch'),
            reason ANY AS (value ->> '$.reason'),
            ended ANY AS (value ->> '$.ended')
        ) STRICT;

        -- Times are Unix microseconds.
        CREATE TABLE epochs (
            epoch INTEGER PRIMARY KEY,
            holder TEXT NOT NULL,
            began INTEGER NOT NULL,
            reason TEXT,
            clearing INTEGER,
            account ANY AS (holder ->> '$.id')
        ) STRICT;

        CREATE TABLE receipts (
            epoch INTEGER PRIMARY KEY,
            ended INTEGER NOT NULL,
            value TEXT NOT NULL,
            outcome ANY AS (value ->> '$.outcome'),
            account ANY AS (value ->> '$.holder.id'),
            released ANY AS (value ->> '$.release.when')
        ) STRICT;

        CREATE TABLE pin_attempts (
            username TEXT PRIMARY KEY,
            failures INTEGER NOT NULL,
            last_failure INTEGER NOT NULL,
            locked_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Hashes in hexadecimal and signatures in base64, as they are signed and exported. `replaced` is the receipt's text where
    /// `receipts` has another by now.
    private static let second = """
        CREATE TABLE receipt_chain (
            sequence INTEGER PRIMARY KEY,
            journal TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            kind TEXT NOT NULL,
            time INTEGER NOT NULL,
            receipt TEXT NOT NULL,
            previous TEXT NOT NULL,
            key TEXT NOT NULL,
            signature TEXT NOT NULL,
            replaced TEXT
        ) STRICT;

        CREATE INDEX receipt_chain_epoch ON receipt_chain (epoch);
        """
}
