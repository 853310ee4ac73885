import GRDB
import SessionMachine
import Vocabulary

extension LedgerWriting {
    /// Writes the whole current state in the place of what is there; what is written once for an epoch stays.
    ///
    /// - Parameter missed: the records of the writes that failed, some of which may have been written after all.
    func replace(with ledger: Ledger, missed: [SessionMachine.Record]) throws {
        try db.execute(sql: "DELETE FROM apps; DELETE FROM registrations; DELETE FROM roster; DELETE FROM barrier")
        for record in missed { try makeUp(for: record) }
        try completeEpochs(ledger)
        try write(.device(ledger.device))
        for (key, app) in ledger.apps { try write(.app(key, app)) }
        for (instance, registration) in ledger.registrations { try write(.registration(instance, registration)) }
        for (key, entry) in ledger.roster { try write(.entry(key, entry)) }
        try write(.barrier(ledger.barrier))
    }

    /// Writes what each epoch has only one of, unless it is there.
    private func makeUp(for record: SessionMachine.Record) throws {
        switch record {
        case .began(let epoch, let holder, let wall): try ensureBegan(epoch, holder, wall)
        case .clearing(let epoch, let reason, let wall): try ensureClearing(epoch, reason, wall)
        case .ended(let receipt): try ensureEnded(receipt)
        case .released(let epoch, let release):
            if try LedgerReading.receipt(epoch, db)?.release == nil { try write(.released(epoch, release)) }
        case .told: try write(record)
        case .device, .app, .registration, .entry, .rosterCleared, .barrier: break
        }
    }

    private func completeEpochs(_ ledger: Ledger) throws {
        if let turn = ledger.device.turn {
            try ensureBegan(turn.epoch, turn.holder, turn.when)
            if let barrier = ledger.barrier, barrier.epoch == turn.epoch {
                try ensureClearing(barrier.epoch, barrier.reason, barrier.startedWall)
            }
        }
        if let receipt = ledger.quarantined { try ensureEnded(receipt) }
        try releaseOthers(than: ledger.quarantined?.epoch)
    }

    private func ensureBegan(_ epoch: Epoch, _ holder: TurnAccount, _ wall: Int64) throws {
        try db.execute(
            sql: "INSERT INTO epochs (epoch, holder, began) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            arguments: [try JournalCoding.column(epoch), try JournalCoding.text(holder), wall])
    }

    private func ensureClearing(_ epoch: Epoch, _ reason: SignOutReason, _ wall: Int64) throws {
        try db.execute(
            sql: "UPDATE epochs SET reason = ?, clearing = ? WHERE epoch = ? AND clearing IS NULL",
            arguments: [reason.rawValue, wall, try JournalCoding.column(epoch)])
    }

    private func ensureEnded(_ receipt: ReceiptRecord) throws {
        try ensureBegan(receipt.epoch, receipt.holder, receipt.started)
        try ensureClearing(receipt.epoch, receipt.reason, receipt.started)
        if try LedgerReading.receipt(receipt.epoch, db) == nil { try write(.ended(receipt)) }
    }

    /// The state knows of no such quarantine any more, so the newest receipt must not bring it back.
    private func releaseOthers(than epoch: Epoch?) throws {
        let sql = "SELECT value FROM receipts ORDER BY epoch DESC LIMIT 1"
        guard let row = try Row.fetchOne(db, sql: sql) else { return }
        let newest = try JournalCoding.value(ReceiptRecord.self, row[0], "receipts")
        guard newest.outcome == .quarantined, newest.release == nil, newest.epoch != epoch else { return }
        let release = Barrier.Release(when: newest.ended, by: .retry, explanation: [.unwrittenRelease])
        try write(.released(newest.epoch, release))
    }
}
