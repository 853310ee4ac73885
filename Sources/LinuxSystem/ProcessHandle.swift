import CLinux
import Glibc
import Synchronization

/// A process pinned by a pidfd: signals reach this very process or none, also after its pid is used again.
public final class ProcessHandle: Sendable {
    public let pid: Int32
    /// The real uid it had when it was pinned.
    public let user: UInt32
    package let started: UInt64
    package let descriptor: Descriptor
    private let firstSeenGone = Mutex<UInt64?>(nil)

    /// Nil when no such process lives, or when it ended while it was being pinned.
    public init?(pid: Int32) {
        // Signals to 0 and negative pids would mean groups.
        guard pid > 0 else { return nil }
        let raw = baton_pidfd_open(pid)
        if raw < 0 { return nil }
        let descriptor = Descriptor(owning: raw)
        // Alive after reading: then what was read belonged to the pinned process.
        guard let record = ProcessRecord(pid: pid), let user = ProcessRecord.realUser(of: pid),
            !Self.isGone(descriptor)
        else { return nil }
        self.pid = pid
        self.user = user
        self.started = record.started
        self.descriptor = descriptor
    }

    /// A child of ours that is not reaped yet, also when it has ended already: its pid still means it.
    package init?(unreaped pid: Int32) {
        let raw = baton_pidfd_open(pid)
        if raw < 0 { return nil }
        descriptor = Descriptor(owning: raw)
        guard let record = ProcessRecord(pid: pid) else { return nil }
        self.pid = pid
        user = ProcessRecord.realUser(of: pid) ?? getuid()
        started = record.started
    }

    /// True once nothing of the process runs any more; a zombie counts as gone.
    public var isGone: Bool {
        let gone = Self.isGone(descriptor)
        if gone { noteEnd() }
        return gone
    }

    /// Whether both pin the same living process.
    package func isSame(as other: ProcessHandle) -> Bool {
        pid == other.pid && !isGone && !other.isGone
    }

    /// When it was first seen gone, in clock ticks since boot; asking is looking.
    ///
    /// A task that waits for its end asks at once, so that the moment is close to the true one.
    @discardableResult
    package func noteEnd() -> UInt64 {
        firstSeenGone.withLock { moment in
            if let moment { return moment }
            let result = BootClock.ticks
            moment = result
            return result
        }
    }

    /// Sends a signal; false when the process is gone or may not be signalled.
    @discardableResult
    package func send(_ signal: CInt) -> Bool {
        baton_pidfd_send_signal(descriptor.raw, signal) == 0
    }

    private static func isGone(_ descriptor: Descriptor) -> Bool {
        var item = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, 0) > 0
    }
}
