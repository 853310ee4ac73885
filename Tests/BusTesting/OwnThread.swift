import Glibc

private final class Work {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
}

/// Runs `body`, which may block, on a thread of its own: the pool has few threads, and tests run side by side.
public func onThreadOfItsOwn<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let work = Unmanaged.passRetained(Work { continuation.resume(returning: body()) })
        var identity = pthread_t()
        let failure = pthread_create(
            &identity, nil,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        precondition(failure == 0, "no thread")
        pthread_detach(identity)
    }
}
