import Checkpoints
import GRDB
import Glibc
import SessionMachine
import Vocabulary

extension Journal {
    /// Moves the journal aside, so that the next `open` makes a new one with another id, and with a higher epoch where the last
    /// turn is known to have ended.
    ///
    /// Any other turn may be open, which only the journal could tell: the next journal begins with its end. A turn is not over
    /// because its record cannot be read. The device's id stays; PIN attempts go with the journal.
    /// - Parameter now: Unix time in seconds.
    /// - Parameter runtime: As for `open`.
    /// - Returns: The names that the files have now; none when there was no journal.
    /// - Throws: `in-use` while a supervisor has it open, which must close it first.
    public static func reset(
        in path: String, now: Int64, runtime: String? = nil
    ) throws(JournalFault) -> [String] {
        let folder = StateFolder(path: path)
        guard StateFolder.exists(path) else { return [] }
        let lock = try StateLock(folder)
        defer { lock.release() }
        var notices: [String] = []
        // Not being able to read the file is no reason to stop here: that is what a reset is for.
        let mark = (try? EpochMark.read(folder, &notices)) ?? nil
        let note = runtime.flatMap { BootNote(in: $0, of: folder.knownDeviceID) }
        let next = goingOn(after: EpochMark.later(mark, note?.mark), readableEpoch(folder), now)
        checkpoint("reset: before the epoch file goes on")
        // First the epoch: stopped in between, the old journal counts as an older copy, and nothing is given twice.
        try next.write(folder)
        checkpoint("reset: after the epoch file went on")
        do throws(JournalFault) {
            return try JournalFile(folder).moveAside(now)
        } catch {
            // It stays the journal, and is no older copy.
            if StateFolder.exists(folder.journal) {
                if let mark { try? mark.write(folder) } else { unlink(folder.epoch) }
            }
            throw error
        }
    }

    /// Where the next journal goes on: with a turn that is over only if all that is known says so.
    private static func goingOn(after known: EpochMark?, _ readable: Epoch?, _ now: Int64) -> EpochMark {
        guard let highest = [known?.epoch, readable].compactMap(\.self).max() else {
            return EpochMark(min(Epoch(clamping: now), EpochMark.greatest.previous).next, .begun)
        }
        guard let known, known.epoch == highest else { return EpochMark(highest, .begun) }
        guard known.isOpen else { return EpochMark(min(highest, EpochMark.greatest.previous).next, .ended) }
        return EpochMark(highest, .begun, begin: known.begin)
    }

    /// The epoch of a journal that may be damaged, as far as it can be told.
    private static func readableEpoch(_ folder: StateFolder) -> Epoch? {
        guard (try? StateFolder.read(folder.journal, limit: 1)) != nil else { return nil }
        let sql = """
            SELECT max(
                coalesce((SELECT max(epoch) FROM epochs), 0), coalesce((SELECT max(epoch) FROM receipts), 0),
                coalesce((SELECT epoch FROM device), 0))
            """
        let found = try? JournalFile(folder).look { db in try Row.fetchOne(db, sql: sql).map { $0[0] as DatabaseValue }
        }
        guard case .int64(let number)? = found?.storage, number >= 0 else { return nil }
        let epoch = Epoch(clamping: number)
        return epoch <= EpochMark.greatest ? epoch : nil
    }
}

extension JournalFile {
    /// Renames the journal and what lies beside it; the names fit together, so that SQLite can still open it.
    func moveAside(_ now: Int64) throws(JournalFault) -> [String] {
        let stem = "\(folder.journal).\(now)"
        var aside = "\(stem).aside"
        var count = 1
        while ([""] + StateFolder.companions).contains(where: { StateFolder.exists(aside + $0) }) {
            aside = "\(stem).\(count).aside"
            count += 1
        }
        var moved: [String] = []
        // The database first: a log that stays alone is moved by the next start, but a database without its log would
        // pass for a whole one.
        for suffix in [""] + StateFolder.companions where StateFolder.exists(folder.journal + suffix) {
            guard rename(folder.journal + suffix, aside + suffix) == 0 else {
                throw JournalFault(
                    .notWritten, folder.journal + suffix, "it cannot be moved: \(StateFolder.reason())")
            }
            moved.append(aside + suffix)
            checkpoint("reset: after baton.sqlite\(suffix) was moved")
        }
        if !moved.isEmpty { try folder.synchronize() }
        checkpoint("reset: after all of it was moved")
        return moved
    }

    /// A log without its database must not lie beside a new one, which SQLite would mix it into.
    func moveOrphansAside(_ now: Int64) throws(JournalFault) -> [String] {
        try moveAside(now).map { "\(folder.journal): it is gone; its remains are now \($0)" }
    }
}
