import Dispatch
import Synchronization

/// Runs asynchronous work on the calling thread, which waits for it: for MSAL's calls that answer at once.
///
/// The work runs here and not on the pool, so that it needs none of the pool's few threads, from which such a call may come.
/// Only registering the app does need them.
enum OnThisThread {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let executor = Executor()
        let answer = Answer<Value>()
        Task.detached(executorPreference: executor) {
            let value = await work()
            answer.set(value)
            executor.finish()
        }
        executor.run()
        guard let value = answer.value else { preconditionFailure("the work ended without a value") }
        return value
    }

    static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        try run { () async -> Result<Value, any Error> in
            do {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private final class Answer<Value: Sendable>: Sendable {
        private let state = Mutex<Value?>(nil)

        var value: Value? { state.withLock { $0 } }

        func set(_ value: Value) { state.withLock { $0 = value } }
    }

    private final class Executor: TaskExecutor {
        private struct State {
            var jobs: [UnownedJob] = []
            var isFinished = false
        }

        private let state = Mutex(State())
        private let bell = DispatchSemaphore(value: 0)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isLate = state.withLock { state in
                if !state.isFinished { state.jobs.append(job) }
                return state.isFinished
            }
            guard isLate else {
                bell.signal()
                return
            }
            // What the work left behind when no caller waits for it any more.
            DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }

        func finish() {
            state.withLock { $0.isFinished = true }
            bell.signal()
        }

        /// Returns when it is finished and nothing is left to run.
        func run() {
            while true {
                bell.wait()
                let (job, isFinished) = state.withLock { state in
                    (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isFinished)
                }
                if let job {
                    job.runSynchronously(on: asUnownedTaskExecutor())
                } else if isFinished {
                    return
                }
            }
        }
    }
}
