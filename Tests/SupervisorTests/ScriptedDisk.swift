import Synchronization
import Vocabulary

@testable import Journal
@testable import SessionMachine
@testable import Supervisor

/// What outlives a supervisor: the ledger, made of the records that were written, and how often each stands there that each
/// turn has one of.
final class ScriptedDisk: Sendable {
    /// How a write goes wrong.
    enum Fault: Sendable, CaseIterable {
        /// Nothing of it is written, and the caller is told so.
        case refused
        /// The caller is told that nothing is written, and the next process finds it all the same unless the whole state was
        /// written meanwhile: a synchronisation that failed.
        case unsure
    }

    /// A mistake in the journal, which the matrix must find.
    enum Mistake: Sendable, CaseIterable {
        /// It says that the records are written before they are.
        case tooEarly
        /// A transaction is not whole: what is written before a kill stays.
        case inParts
        /// The epoch is not counted up with its turn.
        case losesTheDevice
    }

    private struct State {
        var ledger = Ledger(epoch: 0)
        var receipts: [Epoch: ReceiptRecord] = [:]
        var began: [Epoch: Int] = [:]
        var clearing: [Epoch: Int] = [:]
        var ended: [Epoch: Int] = [:]
        /// How many writes come before the one that goes wrong; nil: all go well.
        var writesBeforeFault: Int?
        /// A write failed, and the whole state has not been written since.
        var isBehind = false
        /// What only the next process sees.
        var limbo: [Record] = []
        var faultsMade = 0
    }

    private let state: Mutex<State>
    let fault: Fault
    let mistake: Mistake?

    init(faultAt write: Int? = nil, _ fault: Fault = .refused, mistake: Mistake? = nil) {
        state = Mutex(State(writesBeforeFault: write.map { $0 - 1 }))
        self.fault = fault
        self.mistake = mistake
    }

    /// What a supervisor that starts finds.
    func open() -> Ledger {
        state.withLock { state in
            apply(state.limbo, to: &state)
            state.limbo = []
            state.isBehind = false
            return state.ledger
        }
    }
    var receipts: [Epoch: ReceiptRecord] { state.withLock(\.receipts) }
    var faultsMade: Int { state.withLock(\.faultsMade) }

    /// What every journal of a device that is ready says: one begin and one end of each turn.
    var faults: [String] {
        state.withLock { state in
            let turns = Set(state.began.keys).union(state.clearing.keys).union(state.ended.keys)
            return turns.sorted().compactMap { epoch in
                let counts = [state.began, state.clearing, state.ended].map { $0[epoch] ?? 0 }
                return counts == [1, 1, 1] ? nil : "turn \(epoch) has begins, clearings and ends: \(counts)"
            }
        }
    }

    /// - Returns: Whether they are written, as the caller is told.
    func commit(_ records: [Record]) -> Bool {
        state.withLock { state in
            guard !state.isBehind else { return false }
            if let before = state.writesBeforeFault {
                state.writesBeforeFault = before == 0 ? nil : before - 1
                if before == 0 {
                    state.isBehind = true
                    state.faultsMade += 1
                    if fault == .unsure { state.limbo = records }
                    return false
                }
            }
            apply(records, to: &state)
            return true
        }
    }

    /// The whole state, after a write that failed.
    func save(_ ledger: Ledger, missed: [Record]) {
        state.withLock { state in
            state.ledger = ledger
            state.isBehind = false
            state.limbo = []
            apply(missed, to: &state, ledgerToo: false)
        }
    }

    private func apply(_ records: [Record], to state: inout State, ledgerToo: Bool = true) {
        for record in records {
            switch record {
            case .device where mistake == .losesTheDevice: continue
            case .began(let epoch, _, _): state.began[epoch, default: 0] += 1
            case .clearing(let epoch, _, _): state.clearing[epoch, default: 0] += 1
            case .ended(let receipt):
                state.ended[receipt.epoch, default: 0] += 1
                state.receipts[receipt.epoch] = receipt
            case .released(let epoch, let release): state.receipts[epoch]?.release = release
            case .told(let epoch, let report): state.receipts[epoch]?.provider = report
            default: break
            }
            if ledgerToo { state.ledger.apply(record) }
        }
    }
}

/// The journal of one life, on the disk that outlives it.
struct LifeJournal: ScriptedJournal {
    let disk: ScriptedDisk
    let life: SupervisorLife

    func write(_ records: [Record], then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        if disk.mistake == .tooEarly { then(.success(())) }
        for record in records {
            guard life.passes("in the transaction, before \(record.kind)") else { return }
            if disk.mistake == .inParts { _ = disk.commit([record]) }
        }
        guard life.passes("in the transaction, after all records") else { return }
        let isWritten = disk.mistake == .inParts || disk.commit(records)
        guard life.passes("after the transaction"), disk.mistake != .tooEarly else { return }
        then(isWritten ? .success(()) : .failure(Self.failure))
    }

    func write(_ records: [Record]) async throws {}

    func save(_ ledger: Ledger, missed: [Record]) async throws {
        // A killed supervisor writes nothing, and what it does with the answer reaches no listener.
        guard life.passes("before the whole state is written") else { throw Self.failure }
        disk.save(ledger, missed: missed)
        guard life.passes("after the whole state was written") else { throw Self.failure }
    }

    private static let failure = JournalFault(.notWritten, "journal", "scripted")
}
