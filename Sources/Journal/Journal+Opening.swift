import Checkpoints
import GRDB
public import ReceiptChain
public import SessionMachine
public import Vocabulary

extension Journal {
    /// How the journal goes on from what was before.
    public enum Continuity: Hashable, Sendable {
        /// Where the supervisor left off.
        case same
        /// It was made just now: a first start, a reset, or a lost state folder.
        case new
        /// An older copy had been put back; its turn and its barrier were taken for over.
        case older(copy: Epoch, known: Epoch)
        /// A copy of this very turn had been put back, which lacks registrations.
        case incomplete
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
        var key: ReceiptKey
        var journalID: String
        var ledger: Ledger
        /// The journal whose open turn this one goes on with.
        var predecessor: String?
    }

    /// Opens the journal of a state folder, or makes both.
    ///
    /// A file that is there is checked through a read-only connection before anything is written, so what cannot be
    /// read is left as it is.
    /// - Parameter now: Unix time in seconds: where the epoch of a new journal begins when no earlier one is known.
    /// - Parameter runtime: The folder that outlives the state folder in this boot; nil: there is none.
    /// - Parameter key: Signs the receipts; nil: the key in the state folder, which is made at the first start.
    /// - Parameter onWrite: called before each transaction with its records; what it throws is a failed write.
    public static func open(
        in path: String, now: Int64, retention: Retention = .none, runtime: String? = nil, key: ReceiptKey? = nil,
        onWrite: (@Sendable ([SessionMachine.Record]) throws -> Void)? = nil
    ) throws(JournalFault) -> Opened {
        try open(
            in: path, now: now, retention: retention, runtime: runtime, key: key, lost: [.lostJournal], onWrite: onWrite
        )
    }

    /// The same.
    ///
    /// - Parameter told: A turn that is known from elsewhere.
    /// - Parameter lost: Why there is no journal, if there is none.
    package static func open(
        in path: String, now: Int64, retention: Retention, runtime: String?, key: ReceiptKey?,
        told: EpochMark? = nil, lost: Explanation,
        onWrite: (@Sendable ([SessionMachine.Record]) throws -> Void)? = nil
    ) throws(JournalFault) -> Opened {
        let folder = StateFolder(path: path)
        try folder.make()
        try folder.requireWritable()
        let lock = try StateLock(folder)
        var notices: [String] = []
        if folder.isOpenToOthers { notices.append("\(path): others than its owner can write in the state folder") }
        let exists = try JournalFile(folder).isThere()
        let mark = try EpochMark.read(folder, &notices)
        let note = runtime.flatMap { BootNote(in: $0, of: folder.knownDeviceID) }
        let known = EpochMark.later(EpochMark.later(mark, note?.mark), told)
        let wall = now.multipliedReportingOverflow(by: 1_000_000).partialValue
        var contents: Contents
        var continuity = Continuity.same
        if exists {
            contents = try JournalFile(folder, key: key).open(&notices)
            noteKey(of: contents, folder, &notices)
            continuity = try contents.catchUp(with: known, note, folder, wall: wall, &notices)
        } else {
            notices += try JournalFile(folder).moveOrphansAside(now)
            contents = try JournalFile(folder, key: key).make(after: known, note, now, wall: wall, lost, &notices)
            if contents.ledger.device.turn != nil { contents.predecessor = note?.journalID }
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
            contents, folder: folder, lock: lock, deviceID: deviceID, mark: current, retention: retention,
            runtime: runtime,
            onWrite: onWrite)
        return Opened(journal: journal, ledger: contents.ledger, continuity: continuity, notices: notices)
    }
}

extension Journal {
    /// Says that another key signs from now on: a verifier needs both.
    private static func noteKey(of contents: Contents, _ folder: StateFolder, _ notices: inout [String]) {
        let last = (try? contents.database.read(ChainReading.last)) ?? nil
        guard let last, last.keyID != contents.key.publicKey.id else { return }
        notices.append(
            "\(folder.journal): from receipt entry \(last.sequence + 1) on another key signs:"
                + " \(contents.key.publicKey.id) after \(last.keyID)")
    }
}

extension JournalFile {
    /// A new journal that goes on from what is known. A turn that has not ended, as is known, is in it.
    func make(
        after known: EpochMark?, _ note: BootNote?, _ now: Int64, wall: Int64, _ why: Explanation,
        _ notices: inout [String]
    ) throws(JournalFault) -> Journal.Contents {
        guard let known, known.isOpen, known.epoch > 0 else {
            return try make(epoch: known?.epoch ?? Epoch(clamping: now), &notices)
        }
        // Killed in between, the start after this one finds a journal that is older than that.
        try EpochMark(known.epoch, .begun, begin: known.begin).write(folder)
        var contents = try make(epoch: known.epoch.previous, &notices)
        try contents.goOn(
            with: OlderCopy.records(for: contents.ledger, through: known, note, wall: wall, why: why), folder)
        notices.append("\(folder.journal): \(why.text)")
        return contents
    }
}

extension Journal.Contents {
    /// Finds out whether this is an older copy of what is known to have been, and goes on from that.
    mutating func catchUp(
        with known: EpochMark?, _ note: BootNote?, _ folder: StateFolder, wall: Int64, _ notices: inout [String]
    ) throws(JournalFault) -> Journal.Continuity {
        if let known, known.isAhead(of: ledger) {
            let copy = ledger.device.epoch
            let why: Explanation = [.olderCopy]
            try goOn(with: OlderCopy.records(for: ledger, through: known, note, wall: wall, why: why), folder)
            notices.append(
                "\(folder.journal): an older copy was put back (epoch \(copy), known is \(known.epoch)); its turn is"
                    + " over, and its apps must clear before they get anything" + (known.isOpen ? "; \(why.text)" : ""))
            if !known.isOpen { predecessor = nil }
            return .older(copy: copy, known: known.epoch)
        }
        guard let note, note.nextInstance > ledger.device.nextInstance, ledger.device.turn != nil else { return .same }
        try goOn(with: LostTurn.records(for: ledger, since: note), folder)
        notices.append("\(folder.journal): \(Explanation.Part.olderCopy.text)")
        return .incomplete
    }

    /// Leaves behind what is not so any more.
    mutating func goOn(with records: [SessionMachine.Record], _ folder: StateFolder) throws(JournalFault) {
        let newID = StateFolder.randomID()
        let key = key
        do {
            try database.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    // First, so that the chain of receipts goes on under the new id.
                    try db.execute(sql: "UPDATE meta SET value = ? WHERE key = 'journal-id'", arguments: [newID])
                    let writing = LedgerWriting(db: db, key: key)
                    for record in records { try writing.write(record) }
                    checkpoint("new: in the transaction that leaves an older copy's turn")
                    return .commit
                }
            }
        } catch {
            throw JournalFault(writing: folder.journal, error)
        }
        checkpoint("new: after an older copy's turn was left")
        for record in records { ledger.apply(record) }
        predecessor = journalID
        journalID = newID
    }
}
