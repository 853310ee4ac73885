import Checkpoints
import GRDB
import ReceiptChain
public import SessionMachine
import Synchronization
import Vocabulary

/// The durable state: an SQLite file in the state folder that only this process writes.
///
/// A write is on the disk when it returns. The database is in WAL mode with `synchronous=FULL`, which syncs the log at
/// each commit (seen with strace: one `fdatasync` of `baton.sqlite-wal` after the commit's last `pwrite64`, and of the
/// folder when the log is new).
/// A rollback journal is not as good: at FULL its removal, which is the commit, is not synced.
///
/// Database work runs on GRDB's own queue, so that no thread that has other things to do waits for the disk, but for writes
/// that hardly have to wait (`JournalPace`); they are done in the order in which they were asked for. Cancelling the
/// asking task does not stop them.
public final class Journal: Sendable {
    /// Which tables the file has: a batond that knows fewer of them refuses it.
    public static var schemaVersion: String { JournalSchema.migrator.migrations.last ?? "0" }

    /// How many receipts are kept.
    public struct Retention: Hashable, Sendable {
        public var receipts: Int
        /// Microseconds; nil: however old.
        public var keep: Int64?

        /// Every receipt is kept.
        public static let none = Retention(receipts: .max, keep: nil)

        public init(receipts: Int, keep: Int64?) {
            self.receipts = receipts
            self.keep = keep
        }
    }

    struct State: Sendable {
        var retention: Retention
        /// What the epoch file says.
        var mark: EpochMark
        var pace = JournalPace()
        /// What the runtime folder says.
        var note: BootNote
        /// The newest entry of the chain of receipts.
        var head: ChainHead?
        /// A write failed: what is on the disk lacks something that later records build on.
        var isBehind = false
    }

    /// Random, made with the journal: what apps remember is only worth something for the same one.
    public let journalID: String
    /// The id of the journal whose open turn this one goes on with, as far as is known.
    package let predecessor: String?
    /// Random, made at the first start, and kept when the journal is not.
    public let deviceID: String
    /// Of `TurnSeal`; empty: there is none.
    package let turnKey: String
    /// Where it lies.
    public let file: String

    let key: ReceiptKey
    let folder: StateFolder
    let lock: StateLock
    let database: DatabaseQueue
    let state: Mutex<State>
    private let runtime: String?
    private let spent = Atomic<UInt64>(0)
    let onWrite: (@Sendable ([SessionMachine.Record]) throws -> Void)?

    init(
        _ contents: Contents, folder: StateFolder, lock: StateLock, deviceID: String, mark: EpochMark,
        retention: Retention, runtime: String?, onWrite: (@Sendable ([SessionMachine.Record]) throws -> Void)?
    ) {
        journalID = contents.journalID
        predecessor = contents.predecessor
        self.deviceID = deviceID
        turnKey = folder.readOrMakeTurnKey()
        file = folder.journal
        key = contents.key
        self.folder = folder
        self.lock = lock
        database = contents.database
        let note = BootNote(
            deviceID: deviceID, journalID: contents.journalID, nextInstance: contents.ledger.device.nextInstance,
            mark: mark)
        let head = ((try? contents.database.read(ChainReading.last)) ?? nil)?.head
        state = Mutex(State(retention: retention, mark: mark, note: note, head: head))
        self.runtime = runtime
        self.onWrite = onWrite
        if let runtime { note.write(in: runtime) }
    }

    /// Ends the use of the state folder; every later call fails.
    ///
    /// Waits for what is being written. There is no `deinit` that does it: the last reference may go on the database's own
    /// queue, which cannot wait for itself. GRDB closes the file then.
    public func close() {
        try? database.close()
        lock.release()
    }

    /// Takes new settings; they hold from the next receipt.
    public func change(_ retention: Retention) { state.withLock { $0.retention = retention } }

    /// Writes the records in one transaction, and the epoch file before an epoch begins.
    ///
    /// - Throws: When nothing of it was written; after a fault of the disk in the middle of the commit, it is not
    ///   known how much of it. Every later write fails too, until `save`, so that none lands on a state that it was not made
    ///   for.
    public func write(_ records: [SessionMachine.Record]) async throws(JournalFault) {
        let result: Result<Void, JournalFault> = await withCheckedContinuation { continuation in
            enqueue(records, isHasty: false) { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    /// The same; `then` is called on the database's queue, or by the caller before this returns. That a turn has ended stands in
    /// the epoch file only afterwards: on a slow disk that takes twice as long as the record itself, with every app waiting.
    package func write(_ records: [SessionMachine.Record], then: @escaping @Sendable (Result<Void, any Error>) -> Void)
    {
        guard state.withLock({ $0.pace.isAtOnce(records: records.count) }) else {
            return enqueue(records, isHasty: true) { result in then(result.mapError { $0 }) }
        }
        let result = database.writeWithoutTransaction { db in timed(records, db) }
        then(result.mapError { $0 })
        guard case .success = result, records.contains(where: { $0.endedTurn != nil }) else { return }
        database.writeWithoutTransaction { _ in settleEnds(of: records) }
    }

    private func enqueue(
        _ records: [SessionMachine.Record], isHasty: Bool,
        then: @escaping @Sendable (Result<Void, JournalFault>) -> Void
    ) {
        guard !records.isEmpty else { return then(.success(())) }
        state.withLock { $0.pace.asked() }
        database.asyncWriteWithoutTransaction { [self] db in
            let result = timed(records, db)
            state.withLock { $0.pace.done() }
            if isHasty { then(result) }
            if case .success = result { settleEnds(of: records) }
            if !isHasty { then(result) }
        }
    }

    private func timed(_ records: [SessionMachine.Record], _ db: Database) -> Result<Void, JournalFault> {
        let began = ContinuousClock.now
        do {
            try commit(records, db)
            let (seconds, attoseconds) = began.duration(to: .now).components
            let took = UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
            spent.wrappingAdd(took, ordering: .relaxed)
            state.withLock { $0.pace.took(took) }
            return .success(())
        } catch {
            let fault = JournalFault(writing: file, error)
            // A refused record was never part of the state that the later ones are made for.
            if fault.kind != .refused {
                state.withLock { state in
                    state.isBehind = true
                    // A disk that fails may do so slowly, so the asking thread does not wait for it.
                    state.pace.took(.max)
                }
            }
            return .failure(fault)
        }
    }

    /// Nanoseconds spent in writes so far.
    package var timeSpent: UInt64 { spent.load(ordering: .relaxed) }

    private func commit(_ records: [SessionMachine.Record], _ db: Database) throws {
        if state.withLock(\.isBehind) {
            throw JournalFault(.notWritten, file, "an earlier write failed, and the state has not been saved since")
        }
        try onWrite?(records)
        for case .began(let epoch, _, _) in records { try reserve(epoch) }
        let retention = state.withLock(\.retention)
        try db.inTransaction(.immediate) {
            let writing = LedgerWriting(db: db, key: key)
            for record in records {
                try writing.write(record)
                checkpoint("in the transaction, after \(record.kind)")
                if case .ended(let receipt) = record { try writing.prune(retention, after: receipt) }
            }
            return .commit
        }
        checkpoint("after the transaction")
        if records.contains(where: \.isOfReceipt) { noteHead(db) }
        for case .device(let device) in records {
            if let turn = device.turn { settle(EpochMark(turn.epoch, .begun, begin: turn.began)) }
        }
        note(records)
    }

    /// Until this is done a journal that is lost, and this boot's note with it, counts as one with an open turn: the safe mistake.
    private func settleEnds(of records: [SessionMachine.Record]) {
        for epoch in records.compactMap(\.endedTurn) { settle(EpochMark(epoch, .ended)) }
    }

    /// In memory at most, so it costs a sign-out nothing that could be felt.
    private func note(_ records: [SessionMachine.Record]) {
        guard let runtime else { return }
        let changed: BootNote? = state.withLock { state in
            var note = state.note
            // Never back: of an end the epoch file may say later.
            for mark in [state.mark] + records.compactMap(\.endedTurn).map({ EpochMark($0, .ended) }) {
                note.mark = EpochMark.later(note.mark, mark) ?? mark
            }
            for case .registration(let instance, .some) in records {
                note.nextInstance = max(note.nextInstance, instance.next)
            }
            defer { state.note = note }
            return note == state.note ? nil : note
        }
        changed?.write(in: runtime)
    }

    /// Writes the whole state in one transaction, after a write that failed.
    ///
    /// - Parameter missed: The records of the failed writes, in order. Only what stands once for each epoch is taken
    ///   from them, and not if it was written after all.
    public func save(_ ledger: Ledger, missed: [SessionMachine.Record] = []) async throws(JournalFault) {
        try await perform { [self] db in
            try onWrite?(missed)
            if ledger.device.epoch > state.withLock(\.mark.epoch) { try reserve(ledger.device.epoch) }
            checkpoint("save: before the whole state is written")
            try db.inTransaction(.immediate) {
                try LedgerWriting(db: db, key: key).replace(with: ledger, missed: missed)
                checkpoint("save: in the transaction, after the whole state")
                return .commit
            }
            checkpoint("save: after the whole state was written")
            state.withLock { $0.isBehind = false }
            noteHead(db)
            settle(EpochMark(of: ledger))
            note(ledger.registrations.map { .registration($0.key, $0.value) })
        }
    }

    private func noteHead(_ db: Database) {
        let head = ((try? ChainReading.last(db)) ?? nil)?.head
        state.withLock { $0.head = head }
    }

    // MARK: The epoch file

    private func reserve(_ epoch: Epoch) throws(JournalFault) {
        let mark = EpochMark(epoch, .reserved)
        guard epoch > state.withLock(\.mark.epoch) else { return }
        try mark.write(folder)
        state.withLock { $0.mark = mark }
        checkpoint("after the epoch file has the next epoch")
    }

    /// Says in the file how far the epoch has come.
    ///
    /// What stands there before is true too, only less helpful against an older copy, so a failure is not one of the
    /// write; the next step or the next start makes up for it.
    private func settle(_ mark: EpochMark) {
        let old = state.withLock(\.mark)
        // Rows of the device are written at each registration, too.
        guard mark != old, mark.epoch >= old.epoch, mark.epoch > old.epoch || mark.progress > old.progress else {
            return
        }
        do throws(JournalFault) {
            try mark.write(folder)
            state.withLock { $0.mark = mark }
            checkpoint("after the epoch file said how far the epoch has come")
        } catch {}
    }

    // MARK: The queue

    /// Runs on the database's queue, whatever becomes of the task.
    func perform<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(JournalFault)
        -> Value
    {
        let result: Result<Value, JournalFault> = await withCheckedContinuation { continuation in
            state.withLock { $0.pace.asked() }
            database.asyncWriteWithoutTransaction { [self] db in
                let result = Result { try body(db) }.mapError { JournalFault(writing: file, $0) }
                state.withLock { $0.pace.done() }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
