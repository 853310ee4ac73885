internal import Glibc

/// Runs work that blocks or computes for long, away from the threads that tasks share.
package enum OwnThread {
    /// Waits for the work's result without holding a thread; the work is not cancelled with the task.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let job = Unmanaged.passRetained(Job { continuation.resume(returning: work()) })
            var thread = pthread_t()
            let failed = pthread_create(&thread, nil, { Job.run($0) }, job.toOpaque())
            if failed == 0 {
                pthread_detach(thread)
            } else {
                // Without a thread of its own the work still has to be done: slow is better than never.
                job.takeRetainedValue().work()
            }
        }
    }

    private final class Job: Sendable {
        let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) {
            self.work = work
        }

        static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            if let pointer {
                Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue().work()
            }
            return nil
        }
    }
}
