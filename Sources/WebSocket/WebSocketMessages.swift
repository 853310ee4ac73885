import Synchronization

/// Received messages that wait for their reader. A reader that falls too far behind loses the connection, never a message
/// in between.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// How much may wait: 4096 messages and 64 MiB.
    static let mostMessages = 4096
    static let mostBytes = 64 << 20

    private let stream: AsyncStream<String>
    private let inlet: AsyncStream<String>.Continuation
    private let waiting = WaitingBytes()

    init() {
        (stream, inlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.mostMessages))
    }

    /// False when there is no room.
    func add(_ text: String) -> Bool {
        guard waiting.add(text.utf8.count) <= Self.mostBytes else { return false }
        switch inlet.yield(text) {
        case .enqueued: return true
        default: return false
        }
    }

    func finish() { inlet.finish() }

    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), waiting: waiting) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<String>.Iterator
        fileprivate let waiting: WaitingBytes

        public mutating func next() async -> String? {
            guard let text = await base.next(isolation: #isolation) else { return nil }
            _ = waiting.add(-text.utf8.count)
            return text
        }
    }
}

/// How many bytes wait.
final class WaitingBytes: Sendable {
    private let count = Atomic(0)

    /// - Returns: What waits now.
    func add(_ bytes: Int) -> Int { count.wrappingAdd(bytes, ordering: .relaxed).newValue }
}
