import CLinux
import Glibc

/// Runs blocking work on a thread of its own, so that it never holds one of the few pool threads.
package enum OwnThread {
    /// Starts a detached thread; false when the system has none left.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        let box = Unmanaged.passRetained(Body(run: body))
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                // Else it would be called as the one that started it, such as one of libdispatch's.
                baton_name_thread("baton-thread")
                if let argument {
                    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, box.toOpaque())
        if result != 0 {
            box.release()
        }
        return result == 0
    }

    /// Runs `body` there and waits for its answer; nil when no thread could be started.
    package static func run<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) async -> Answer? {
        await withCheckedContinuation { continuation in
            if !start({ continuation.resume(returning: body()) }) {
                continuation.resume(returning: nil)
            }
        }
    }

    /// The same for work that has to be done in any case. If no thread can be started, it runs on the caller's: slow is
    /// better than never.
    package static func runAlways<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) async -> Answer {
        await run(body) ?? body()
    }

    /// Like `run`, with a limit: nil also when the work is not done half a second after it, as on a dead
    /// file system; its thread is then left behind. Cancelling the task cancels the limit.
    package static func run<Answer: Sendable>(
        limit: TimeLimit, _ body: @escaping @Sendable () -> Answer
    ) async -> Answer? {
        await withTaskCancellationHandler {
            let (answers, answer) = AsyncStream.makeStream(of: Answer.self)
            let started = start {
                answer.yield(body())
                answer.finish()
            }
            if !started { return nil }
            return await answers.first(within: limit.left + .milliseconds(500))
        } onCancel: {
            limit.cancel()
        }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
