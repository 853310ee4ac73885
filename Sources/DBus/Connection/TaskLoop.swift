import Synchronization

/// Runs tasks on the thread that waits for them, such as a program's first, so that they need no pool of threads.
///
/// Whatever `run` starts in groups is its too; what belongs to an actor on a `BusThread` runs there.
public final class TaskLoop: TaskExecutor {
    private let loop: BusLoop

    public init() throws(DBusError) {
        loop = try BusLoop()
        loop.setExecutor(.task(UnownedTaskExecutor(ordinary: self)))
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        loop.add(.job(UnownedJob(job)))
    }

    /// Runs `action` on the loop's thread after what was added before, never at once.
    public func perform(_ action: @escaping @Sendable () -> Void) { loop.add(.action(action)) }

    /// Waits for that long without keeping any thread. A suspended machine's time counts.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(for duration: Duration) async throws { try await loop.sleep(for: duration) }

    /// Returns what `body` comes to, in a task that prefers this loop; to be called once.
    ///
    /// What other tasks still want of the loop then is never done, so this is for the end of a program.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        Task(executorPreference: self) { [loop] in
            do {
                outcome.set(.success(try await body()))
            } catch {
                outcome.set(.failure(error))
            }
            loop.stop()
        }
        loop.run()
        return try outcome.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        private let result = Mutex<Result<Value, any Error>>(.failure(CancellationError()))

        func set(_ result: Result<Value, any Error>) { self.result.withLock { $0 = result } }
        func get() throws -> Value { try result.withLock(\.self).get() }
    }
}
