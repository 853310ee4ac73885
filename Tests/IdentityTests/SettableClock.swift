import Identity
import Synchronization

/// A clock that stands still until a test moves it.
final class SettableClock: Sendable {
    static let start: Int64 = 1_800_000_000

    private let time = Mutex(start)

    var identityClock: IdentityClock {
        IdentityClock(seconds: { self.time.withLock { $0 } }, sleep: { try await Task.sleep(for: $0) })
    }

    func advance(_ seconds: Int64) { time.withLock { $0 += seconds } }
}
