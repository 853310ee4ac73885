import CDBus
import Glibc
import Synchronization

/// The thread of one or more bus connections, and the serial executor of all that must keep step with them.
///
/// It sleeps in `poll(2)` on the bus sockets and a bell (an eventfd). An actor that names it as its executor gets
/// messages without a change of thread:
///
///     nonisolated var unownedExecutor: UnownedSerialExecutor { connection.thread.asUnownedSerialExecutor() }
///
/// The thread ends when the last reference to this object is gone. What runs on it must never block.
public final class BusThread: SerialExecutor {
    private let loop: BusLoop

    public init() throws(DBusError) {
        loop = try BusLoop()
        loop.setExecutor(UnownedSerialExecutor(ordinary: self))
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

    func attach(_ connection: Connection) { loop.attach(connection) }
}
