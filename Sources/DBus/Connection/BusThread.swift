import CDBus
import Glibc
import Synchronization

/// The thread of one or more bus connections, and the serial executor of all that must keep step with them.
///
/// It sleeps in `poll(2)` on the bus sockets, a bell (an eventfd) and an alarm clock (a timerfd). An actor that names it as
/// its executor gets messages without a change of thread:
///
///     nonisolated var unownedExecutor: UnownedSerialExecutor { connection.thread.asUnownedSerialExecutor() }
///
/// The thread ends when the last reference to this object is gone. What runs on it must never block.
public final class BusThread: SerialExecutor {
    private let loop: BusLoop
    /// What keeps tasks on this thread: the executor that they are to prefer.
    public let tasks: any TaskExecutor

    public init() throws(DBusError) {
        loop = try BusLoop()
        tasks = BusTasks(loop)
        loop.setExecutor(.serial(UnownedSerialExecutor(ordinary: self)))
        try loop.start()
    }

    deinit { loop.stop() }

    public func enqueue(_ job: consuming ExecutorJob) {
        loop.add(.job(UnownedJob(job)))
    }

    public func checkIsolated() {
        precondition(isCurrent, "not on the bus thread")
    }

    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Whether the caller runs on this thread.
    public var isCurrent: Bool { loop.isCurrent }

    /// Runs `action` on this thread: at once when already there, else after what was added before.
    public func perform(_ action: @escaping @Sendable () -> Void) {
        if isCurrent { action() } else { loop.add(.action(action)) }
    }

    /// Runs `action` on this thread after what was added before, never at once.
    public func performLater(_ action: @escaping @Sendable () -> Void) {
        loop.add(.action(action))
    }

    /// What `cancel` takes.
    public struct Timer: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// Runs `action` on this thread when the time is over, during which a suspended machine's time counts.
    ///
    /// Unlike `Task.sleep` this needs no other thread, and what is cancelled is let go of at once.
    @discardableResult
    public func schedule(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> Timer {
        Timer(number: loop.add(due: AlarmClock.time(after: duration), action))
    }

    /// Nothing happens any more, unless it is happening. On this thread that cannot be.
    public func cancel(_ timer: Timer) { loop.removeTimer(timer.number) }

    /// Waits for that long without keeping any thread.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(for duration: Duration) async throws { try await loop.sleep(for: duration) }

    func attach(_ connection: Connection) { loop.attach(connection) }
}
