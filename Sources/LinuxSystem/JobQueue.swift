import CLinux
import Glibc
import Synchronization

/// Jobs for one thread.
package final class JobQueue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let bell = Bell()

    package init() {}

    /// False when closed.
    package func add(_ job: @escaping @Sendable () -> Void) -> Bool {
        let added = state.withLock { state in
            if state.isClosed { return false }
            state.jobs.append(job)
            return true
        }
        if added { bell.ring() }
        return added
    }

    package func close() {
        state.withLock { $0.isClosed = true }
        bell.ring()
    }

    /// Runs jobs on the calling thread until closed.
    package func run() {
        while true {
            guard bell.wait() else { return }
            let (jobs, isClosed) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.isClosed)
            }
            for job in jobs { job() }
            if isClosed { return }
        }
    }
}

/// Wakes one thread.
package final class Bell: Sendable {
    private let ends: (read: Descriptor, write: Descriptor)

    package init() {
        var raw: [CInt] = [-1, -1]
        _ = baton_pipe(&raw, 0)
        ends = (Descriptor(owning: raw[0]), Descriptor(owning: raw[1]))
    }

    package func ring() {
        var byte: UInt8 = 0
        _ = write(ends.write.raw, &byte, 1)
    }

    /// False when there is nothing to wait for any more.
    package func wait() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = read(ends.read.raw, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            return count == 1
        }
    }

    /// Waits until it rings or a descriptor can be read; true: the descriptor can.
    package func wait(or descriptor: Descriptor) -> Bool {
        var items = [
            pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: ends.read.raw, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&items, 2, -1) < 0, errno == EINTR {}
        return items.first.map { $0.revents != 0 } ?? false
    }
}
