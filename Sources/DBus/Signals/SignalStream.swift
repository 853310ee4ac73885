/// A signal that came in.
public struct ReceivedSignal<Values: Sendable>: Sendable {
    /// The unique name of the sender, as the bus says.
    public let sender: BusName
    public let path: ObjectPath
    public let values: Values
}

/// The signals of a subscription, in their order, for one consumer.
///
/// Ends when the connection is closed and throws when the bus is lost, or `DBusError.overflow` when the consumer is
/// too slow. The subscription lasts until then, or until the iteration ends or its task is cancelled.
public struct SignalStream<Values: Sendable>: AsyncSequence, Sendable {
    public typealias Element = ReceivedSignal<Values>

    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncThrowingStream<Element, any Error>.AsyncIterator

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            try await base.next(isolation: actor)
        }
    }

    let base: AsyncThrowingStream<Element, any Error>

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator())
    }
}
