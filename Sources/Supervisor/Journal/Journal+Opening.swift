internal import Checkpoints
internal import GRDB
public import Supervision

extension Journal {
    /// How the journal goes on from what was before.
    public enum Continuity: Hashable, Sendable {
        /// Where the supervisor left off.
        case same
        /// It was made just now: a first start, a reset, or a lost state folder.
        case new
        /// An older copy had been put back; its turn and its barrier were taken for over.
        case older(copy: Epoch, known: Epoch)
    }

    /// A journal that is ready for use.
    public struct Opened: Sendable {
        public let journal: Journal
        public let ledger: Ledger
        public let continuity: Continuity
        /// What an administrator should know of, one line each.
        public let notices: [String]
    }

    /// What stands in the file.
    struct Contents {
        var database: DatabaseQueue
        var journalID: String
        var ledger: Ledger
    }

    /// Opens the journal of a state folder, or makes both.
    ///
    /// A file that is there is checked through a read-only connection before anything is written, so what cannot be
    /// read is left as it is.
    /// - Parameter now: Unix time in seconds: where the epoch of a new journal begins when no earlier one is known.
    /// - Parameter onWrite: called before each transaction with its records; what it throws is a failed write.
    public static func open(
        in path: String, now: Int64, limits: Limits = Limits(),
        onWrite: (@Sendable ([Supervision.Record]) throws -> Void)? = nil
    ) throws(JournalFault) -> Opened {
        let folder = StateFolder(path: path)
        try folder.make()
        try folder.requireWritable()
        let lock = try StateLock(folder)
        var notices: [String] = []
        if folder.isOpenToOthers { notices.append("\(path): others than its owner can write in the state folder") }
        let exists = try JournalFile(folder).isThere()
        let mark = try EpochMark.read(folder, &notices)
        var contents: Contents
        var continuity = Continuity.same
        if exists {
            contents = try JournalFile(folder).open()
            if let mark, mark.isAhead(of: contents.ledger) {
                let copy = contents.ledger.device.epoch
                continuity = .older(copy: copy, known: mark.epoch)
                try contents.goOn(from: mark, folder, wall: now.multipliedReportingOverflow(by: 1_000_000).partialValue)
                notices.append(
                    "\(folder.journal): an older copy was put back (epoch \(copy), known is \(mark.epoch)); its turn is"
                        + " over, and its apps must clear before they get anything")
            }
        } else {
            notices += try JournalFile(folder).moveOrphansAside(now)
            contents = try JournalFile(folder).make(epoch: mark?.epoch ?? Epoch(clamping: now))
            continuity = .new
        }
        let deviceID = try folder.readOrMakeDeviceID(&notices)
        let current = EpochMark(of: contents.ledger)
        if mark != current {
            checkpoint("new: before the epoch file is written")
            try current.write(folder)
            checkpoint("new: after the epoch file was written")
        }
        let journal = Journal(
            contents, folder: folder, lock: lock, deviceID: deviceID, mark: current, limits: limits, onWrite: onWrite)
        return Opened(journal: journal, ledger: contents.ledger, continuity: continuity, notices: notices)
    }
}

extension Journal.Contents {
    /// Leaves the turn of an older copy behind.
    mutating func goOn(from mark: EpochMark, _ folder: StateFolder, wall: Int64) throws(JournalFault) {
        let records = OlderCopy.records(for: ledger, through: mark.epoch, wall: wall)
        let newID = StateFolder.randomID()
        do {
            try database.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    for record in records { try LedgerWriting(db: db).write(record) }
                    checkpoint("new: in the transaction that leaves an older copy's turn")
                    try db.execute(sql: "UPDATE meta SET value = ? WHERE key = 'journal-id'", arguments: [newID])
                    return .commit
                }
            }
        } catch {
            throw JournalFault(writing: folder.journal, error)
        }
        checkpoint("new: after an older copy's turn was left")
        for record in records { ledger.apply(record) }
        journalID = newID
    }
}
