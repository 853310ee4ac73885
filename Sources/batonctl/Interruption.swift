import UnixSignals

/// The user pressed Ctrl-C, or a process asked this one to end.
struct Interrupted: Error {}

/// Runs the work until it is done or this process is asked to end; then the work is cancelled, finishes what it has
/// to, and this throws `Interrupted`.
func interruptibly<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            for await _ in signals { return nil }
            // Only the end of the work ends this.
            return nil
        }
        guard let first = try await group.next(), let value = first else {
            group.cancelAll()
            while let rest = await group.nextResult() {
                // What the work had finished all the same counts.
                if case .success(let value?) = rest { return value }
            }
            throw Interrupted()
        }
        group.cancelAll()
        return value
    }
}
