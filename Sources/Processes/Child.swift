import CLinux
import Glibc
public import LinuxSystem
import Synchronization

/// A child process of ours, pinned by a pidfd and reaped exactly once.
public final class Child: Sendable {
    public let pid: Int32
    package let descriptor: Descriptor
    private let status = Mutex<Int32?>(nil)

    package init(pid: Int32, descriptor: Descriptor) {
        self.pid = pid
        self.descriptor = descriptor
    }

    package static func pin(_ pid: Int32) -> Descriptor? {
        let raw = baton_pidfd_open(pid)
        return raw < 0 ? nil : Descriptor(owning: raw)
    }

    /// Kills it; a child that is gone is left in peace.
    public func kill() { _ = baton_pidfd_send_signal(descriptor.raw, SIGKILL) }

    /// Kills it together with its process group, where its start has failed: what bubblewrap has begun as its sandbox's first
    /// process would wait for it for ever, with all the descriptors that it was given.
    package func abandon() {
        // Until it is reaped its number means its group and no other; it leads that itself.
        status.withLock { if $0 == nil { Self.killGroup(pid) } }
    }

    /// - Parameter pid: Of a child that is not reaped; each leads a group of its own.
    package static func killGroup(_ pid: Int32) { _ = Glibc.kill(-pid, SIGKILL) }

    public var isRunning: Bool {
        var item = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, 0) == 0
    }

    /// Waits for its end and reaps it: its exit code, or 128 + the signal that ended it. Blocks; see `exit(limit:)`.
    private func reap() -> Int32 {
        status.withLock { status in
            if let status { return status }
            var word: Int32 = 0
            while waitpid(pid, &word, 0) < 0, errno == EINTR {}
            let code = Reaper.exitCode(word)
            status = code
            return code
        }
    }

    /// Its exit code, or 128 + the signal that ended it; nil when it has not ended within the limit.
    public func exit(limit: TimeLimit) async -> Int32? {
        await OwnThread.run { [self] in
            var item = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
            while poll(&item, 1, limit.milliseconds(cap: 100)) <= 0 {
                if limit.isOver { return nil }
            }
            return reap()
        } ?? nil
    }
}

extension ProcessHandle {
    /// Pins a child once more, apart from its own pin.
    package convenience init?(unreaped child: Child) { self.init(unreaped: child.pid) }
}
