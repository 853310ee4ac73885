import Glibc
import Synchronization

/// Keeps a second supervisor off the state folder; the kernel drops it with the process, however that ends.
final class StateLock: Sendable {
    private let descriptor: Mutex<CInt>

    init(_ folder: StateFolder) throws(JournalFault) {
        let file = folder.lock
        let opened = Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else {
            throw JournalFault(.inaccessible, file, "it cannot be opened: \(StateFolder.reason())")
        }
        folder.adopt(opened)
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let why = isTaken ? "another supervisor uses this state folder" : "no lock: \(StateFolder.reason())"
            Glibc.close(opened)
            throw JournalFault(isTaken ? .inUse : .inaccessible, file, why)
        }
        descriptor = Mutex(opened)
    }

    func release() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            // Closing is not enough: a child between fork and exec has the same lock for that moment.
            flock(descriptor, LOCK_UN)
            Glibc.close(descriptor)
            descriptor = -1
        }
    }

    deinit { release() }
}
