import Glibc
import LinuxSystem
package import Logging
import Synchronization

/// The file for node_exporter's textfile collector.
///
/// It is written when something has changed, on a thread that lives no longer than that: a disk that hangs keeps this thread and
/// nothing else. What changes meanwhile is written once, at the end.
package final class MetricsFile: Sendable {
    private struct State {
        var isBusy = false
        var isDue = false
    }

    private let path: String
    private let source: MetricsSource
    private let fault: FaultNote
    private let state = Mutex(State())
    /// Held while the disk is written; true: nothing is written any more.
    private let isClosed = Mutex(false)

    package init(_ path: String, source: MetricsSource, log: Logger) {
        self.path = path
        self.source = source
        fault = FaultNote(
            failing: "the file of metrics cannot be written", working: "the file of metrics can be written again", path,
            log: log)
    }

    /// A change is on its way to the disk.
    var isBusy: Bool { state.withLock(\.isBusy) }

    /// Has it written soon, and only waits for nothing.
    package func changed() {
        let begins = state.withLock { state in
            defer { (state.isDue, state.isBusy) = (state.isBusy, true) }
            return !state.isBusy
        }
        if begins { begin() }
    }

    private func begin() {
        source.ask { [self] figures in
            let isStarted = OwnThread.start { [self] in
                write(source.text(figures))
                ended()
            }
            guard !isStarted else { return }
            fault.note("no thread can be started")
            // The next change tries again.
            state.withLock { $0 = State() }
        }
    }

    private func ended() {
        let goesOn = state.withLock { state in
            defer { (state.isDue, state.isBusy) = (false, state.isDue) }
            return state.isDue
        }
        if goesOn { begin() }
    }

    private func write(_ text: String) {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            fault.note(Self.replace(path, with: Array(text.utf8)))
        }
    }

    /// Removes the file, whose numbers are no longer true; `then` is called when that is done, which a disk may delay.
    package func close(then: @escaping @Sendable () -> Void) {
        let isStarted = OwnThread.start { [self] in
            isClosed.withLock { isClosed in
                isClosed = true
                // Not what another program put there.
                if Self.kind(of: path) == S_IFREG { unlink(path) }
            }
            then()
        }
        if !isStarted { then() }
    }

    // MARK: The disk

    /// Puts the text in the place of the file, for all to read.
    ///
    /// - Returns: Why that is not possible; nil: it is done.
    private static func replace(_ path: String, with bytes: [UInt8]) -> String? {
        guard [nil, S_IFREG].contains(kind(of: path)) else { return "something else has this name; it stays" }
        // Without the ending that the collector looks for.
        let temporary = path + ".new"
        // A batond that was killed has left it.
        unlink(temporary)
        let raw = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard raw >= 0 else { return problem() }
        let descriptor = Descriptor(owning: raw)
        // The unit's umask keeps others from all files.
        guard fill(descriptor, bytes), fchmod(raw, 0o644) == 0, rename(temporary, path) == 0 else {
            let problem = problem()
            unlink(temporary)
            return problem
        }
        return nil
    }

    private static func fill(_ descriptor: Descriptor, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor.raw, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// What has this name, as in `st_mode`; nil: nothing that can be seen.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private static func problem() -> String { String(cString: strerror(errno)) }
}
