import Synchronization

/// batond's word about the last turn that this process was in. It is shown at each registration, so that a batond whose journal
/// was put back learns of a turn that it has forgotten.
final class ShownTurn: Sendable {
    private let state = Mutex<String?>(nil)

    var text: String? { state.withLock { $0 } }

    /// Without one there was no account, and the last one still says that its turn has begun.
    func keep(_ text: String?) {
        guard let text else { return }
        state.withLock { $0 = text }
    }

    func forget() { state.withLock { $0 = nil } }
}
