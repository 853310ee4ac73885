import GRDB

/// The tables.
///
/// Each row holds its value as JSON, the one truth; what people would query is computed from that, so that the two
/// cannot differ (`ANY`, since a number above SQLite's range is a real one there). Numbers that are keys are columns of
/// their own.
enum JournalSchema {
    /// "Batn".
    static let applicationID: Int32 = 0x4261_746E

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: first) }
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
}
