import Checkpoints
import GRDB
import Glibc
import ReceiptChain
import SessionMachine
import Vocabulary

/// The database file: is it ours, can all of it be read, and how a new one is made.
struct JournalFile {
    let folder: StateFolder
    /// Signs the receipts; nil: the state folder has the key, or gets one.
    let key: ReceiptKey?

    init(_ folder: StateFolder, key: ReceiptKey? = nil) {
        self.folder = folder
        self.key = key
    }

    /// Looks at the header alone, which tells a foreign file before SQLite sees it.
    func isThere() throws(JournalFault) -> Bool {
        let file = folder.journal
        guard let header = try StateFolder.read(file, limit: 100) else { return false }
        if header.isEmpty { throw JournalFault(.damaged, file, "it is empty") }
        guard header.starts(with: Array("SQLite format 3".utf8) + [0]) else {
            throw JournalFault(.foreign, file, "it is not an SQLite file")
        }
        guard header.count == 100 else { throw JournalFault(.damaged, file, "it is truncated") }
        let application = header[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard application == UInt32(bitPattern: JournalSchema.applicationID) else {
            throw JournalFault(.foreign, file, "it is the SQLite file of another program")
        }
        guard access(file, W_OK) == 0 else {
            throw JournalFault(.inaccessible, file, "it cannot be written: \(StateFolder.reason())")
        }
        return true
    }

    func open(_ notices: inout [String]) throws(JournalFault) -> Journal.Contents {
        let file = folder.journal
        var checked: (String, Ledger)?
        do {
            checked = try check()
        } catch {
            throw JournalFault(reading: file, error)
        }
        // Not before: a file that cannot be read is left alone, with all that is beside it.
        let key = if let key = self.key { key } else { try folder.readOrMakeReceiptKey(&notices) }
        do {
            let database = try DatabaseQueue(path: file, configuration: Self.configuration())
            try database.writeWithoutTransaction(Self.makeDurable)
            if let (id, ledger) = checked {
                return Journal.Contents(database: database, key: key, journalID: id, ledger: ledger)
            }
            // An older schema, every page of which can be read: from here on the file is ours to change.
            try JournalSchema.migrator(key: key).migrate(database)
            return try database.read { db in
                Journal.Contents(
                    database: database, key: key, journalID: try LedgerReading.journalID(db),
                    ledger: try LedgerReading.ledger(db))
            }
        } catch {
            throw JournalFault(reading: file, error)
        }
    }

    /// Reads all of it without changing a byte; nil when the schema must be brought up to date before rows are read.
    private func check() throws -> (String, Ledger)? {
        let file = folder.journal
        return try look { db in
            let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(1)")
            guard findings == ["ok"] else {
                throw JournalFault(.damaged, file, "SQLite finds it damaged: \(findings.first ?? "no answer")")
            }
            guard try db.tableExists("grdb_migrations") else {
                throw JournalFault(.damaged, file, "it has no schema version")
            }
            if try JournalSchema.migrator.hasBeenSuperseded(db) {
                throw JournalFault(.foreignVersion, file, "a newer Baton wrote it")
            }
            guard try JournalSchema.migrator.hasCompletedMigrations(db) else { return nil }
            return (try LedgerReading.journalID(db), try LedgerReading.ledger(db))
        }
    }

    /// Reads through a connection that can change nothing, and leaves no file behind that was not there.
    ///
    /// SQLite makes an empty log and an index beside the file even for a reader. No other process can have made them, since
    /// the state folder is locked and this is the only connection.
    func look<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let beside = StateFolder.companions.map { folder.journal + $0 }.filter { !StateFolder.exists($0) }
        defer { for file in beside { unlink(file) } }
        let database = try DatabaseQueue(path: folder.journal, configuration: Self.configuration(readOnly: true))
        defer { Self.retire(database) }
        return try database.unsafeRead(body)
    }

    /// Makes a journal under another name and puts it into place complete, so that a power cut leaves none or a whole
    /// one.
    func make(epoch: Epoch, _ notices: inout [String]) throws(JournalFault) -> Journal.Contents {
        let file = folder.unfinished
        for leftover in [file] + StateFolder.companions.map({ file + $0 }) { unlink(leftover) }
        let descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw JournalFault(.inaccessible, file, "it cannot be made: \(StateFolder.reason())")
        }
        folder.adopt(descriptor)
        close(descriptor)
        do {
            // SQLite gives the files beside it the permissions of this one.
            let database = try DatabaseQueue(path: file, configuration: Self.configuration())
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA application_id = \(JournalSchema.applicationID)")
                try Self.makeDurable(db)
            }
            try JournalSchema.migrator.migrate(database)
            try database.write { db in
                let ledger = Ledger(epoch: min(epoch, EpochMark.greatest))
                try LedgerWriting(db: db, key: nil).write(.device(ledger.device))
                let sql = "INSERT INTO meta (key, value) VALUES ('journal-id', ?)"
                try db.execute(sql: sql, arguments: [StateFolder.randomID()])
            }
            // The last connection brings everything into the file and syncs it.
            try database.close()
            Self.retire(database)
        } catch {
            throw JournalFault(writing: file, error)
        }
        checkpoint("new: before the journal is in its place")
        guard rename(file, folder.journal) == 0 else {
            throw JournalFault(.inaccessible, folder.journal, "it cannot be made: \(StateFolder.reason())")
        }
        try folder.synchronize()
        checkpoint("new: after the journal is in its place")
        return try open(&notices)
    }

    /// Closes the file for good, and keeps what is left in memory until the program ends.
    ///
    /// To let go of its queue libdispatch starts its pool of threads, whose timer then wakes the program once a second for
    /// as long as it lives. Only starts and resets make such a connection.
    private static func retire(_ database: DatabaseQueue) {
        try? database.close()
        _ = Unmanaged.passRetained(database)
    }

    static func configuration(readOnly: Bool = false) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.label = "org.baton.journal"
        // An administrator may be looking into the file with another program.
        configuration.busyMode = .timeout(2)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            if !readOnly { try db.execute(sql: "PRAGMA synchronous = FULL") }
            // KiB. All that is read again and again are a few pages; by default as many as receipts are would stay, up to 2 MiB.
            try db.execute(sql: "PRAGMA cache_size = -256")
        }
        return configuration
    }

    /// Sees that commits are synced, whatever the file or a library's default says.
    static func makeDurable(_ db: Database) throws {
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        let level = try Int.fetchOne(db, sql: "PRAGMA synchronous")
        guard mode == "wal", level == 2 else {
            throw UnusableValue("SQLite cannot make writes durable here (\(mode ?? "-"), \(level ?? -1))")
        }
    }
}
