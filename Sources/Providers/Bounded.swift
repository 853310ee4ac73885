package import DBus

/// Waits for the work, but never longer than the limit; nil when it was not done by then. It is cancelled and not waited
/// for: it may hang in something that does not listen.
///
/// - Parameters:
///   - thread: Whose timer it is; that of a pool would be kept until its time, and wake up a pool that nothing else needs.
///   - executor: Where the work prefers to run.
package func bounded<Value: Sendable>(
    _ limit: Duration, on thread: BusThread, by executor: (any TaskExecutor)? = nil,
    _ work: @escaping @Sendable () async -> Value?
) async -> Value? {
    let (answers, tell) = AsyncStream.makeStream(of: Value?.self)
    let worker = Task(executorPreference: executor) { tell.yield(await work()) }
    let timer = thread.schedule(after: limit) { tell.yield(nil) }
    defer {
        worker.cancel()
        thread.cancel(timer)
    }
    for await answer in answers { return answer }
    return nil
}
