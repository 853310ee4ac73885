/// What happened, for one who waits for it.
public struct Happenings<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    public init(of _: Value.Type = Value.self) {
        (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    }

    public func report(_ value: Value) { continuation.yield(value) }

    public func next() async -> Value? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}

/// Returns when the task is cancelled.
public func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    continuation.finish()
}
