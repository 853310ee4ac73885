import CRuntime
import Synchronization

/// Where this program's tasks run, and by what they sleep.
///
/// The pool on which Swift runs them has a timer of one second from the first task on, for as long as the program lives. A program
/// that is to be quiet has them run on a thread of its own instead. In others nothing changes.
package enum OwnTasks {
    private struct Place: Sendable {
        var perform: @Sendable (@escaping @Sendable () -> Void) -> Void
        var sleep: @Sendable (Duration) async throws -> Void
    }

    private static let place = Mutex<Place?>(nil)

    /// From now on tasks that prefer no executor go on where `perform` has them do so; they must not block there. To be called once,
    /// before the first task.
    ///
    /// - Parameters:
    ///   - perform: Runs something later, never at once.
    ///   - sleep: Waits for that long, and throws `CancellationError` when the task is cancelled.
    package static func run(
        perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        place.withLock { $0 = Place(perform: perform, sleep: sleep) }
        baton_take_tasks { raw in
            guard let raw, let place = OwnTasks.place.withLock(\.self) else { return }
            // The runtime hands it over for good, and it is run once.
            nonisolated(unsafe) let job = raw
            place.perform { baton_run_task(job) }
        }
    }

    /// Waits for that long without keeping any thread; a suspended machine's time counts. `Task.sleep` would bring the pool back.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package static func sleep(for duration: Duration) async throws {
        if let place = place.withLock(\.self) {
            try await place.sleep(duration)
        } else {
            try await Task.sleep(for: duration)
        }
    }

    /// The same, and a suspended machine's time does not count.
    package static func sleepAwake(for duration: Duration) async throws {
        let limit = TimeLimit(duration)
        while !limit.isOver { try await sleep(for: limit.left) }
    }
}
