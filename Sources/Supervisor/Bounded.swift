/// Waits for the work, but never longer than the limit; nil when it was not done by then. It is cancelled and not waited
/// for: it may hang in something that does not listen.
func bounded<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
    let (answers, tell) = AsyncStream.makeStream(of: Value?.self)
    let worker = Task { tell.yield(await work()) }
    let timer = Task {
        try? await Task.sleep(for: limit)
        tell.yield(nil)
    }
    defer {
        worker.cancel()
        timer.cancel()
    }
    for await answer in answers { return answer }
    return nil
}
