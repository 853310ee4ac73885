/// What is pressed on a locked screen, for the one who listens.
final class LockKeyStream: Sendable {
    let keys: AsyncStream<LockKey>
    private let continuation: AsyncStream<LockKey>.Continuation

    init() {
        // More than a person types while one PIN is looked at says nothing.
        (keys, continuation) = AsyncStream.makeStream(of: LockKey.self, bufferingPolicy: .bufferingOldest(64))
    }

    func press(_ key: LockKey) { continuation.yield(key) }

    deinit { continuation.finish() }
}
