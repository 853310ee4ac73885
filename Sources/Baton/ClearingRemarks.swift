import DBus
import Synchronization

/// What an app said beside its answer for the turn that it cleared last; the answer may have to be given again.
final class ClearingRemarks: Sendable {
    private let state = Mutex<(epoch: Epoch, details: VariantDictionary)>((0, [:]))

    /// Empty for any other turn.
    subscript(epoch: Epoch) -> VariantDictionary {
        state.withLock { $0.epoch == epoch ? $0.details : [:] }
    }

    func set(_ details: VariantDictionary, for epoch: Epoch) {
        state.withLock { $0 = (epoch, details) }
    }
}
