import Synchronization
import Vocabulary

/// Which turns may still begin something: none whose end was asked for, however late a beginning goes on.
final class TurnGate: Sendable {
    private let last = Mutex<Epoch>(0)

    /// The end of that turn was asked for, and so is that of all before it.
    func close(_ epoch: Epoch) { last.withLock { $0 = max($0, epoch) } }

    /// The last turn whose end was asked for; 0: none's was.
    var closed: Epoch { last.withLock { $0 } }

    func admits(_ epoch: Epoch) -> Bool { last.withLock { epoch > $0 } }
}
