package import SessionMachine
import Vocabulary

extension SessionMachine.Record {
    /// One in quarantine has not ended.
    var endedTurn: Epoch? {
        switch self {
        case .ended(let receipt): receipt.outcome == .quarantined ? nil : receipt.epoch
        case .released(let epoch, _): epoch
        default: nil
        }
    }

    /// It adds to the chain of receipts.
    var isOfReceipt: Bool {
        switch self {
        case .ended, .released, .told: true
        case .device, .app, .registration, .entry, .rosterCleared, .barrier, .began, .clearing: false
        }
    }

    /// Its name, for people.
    package var kind: String { "\(self)".prefix { $0 != "(" }.description }
}
