import Glibc
import Synchronization

/// A child with an empty signal mask, whose output is read and which is killed by its process id.
public final class ChildProcess: Sendable {
    public let processID: Int32
    private let output: Int32
    private let isReaped = Mutex(false)

    /// - Parameter environment: added to, or replacing, what this process has.
    public init(_ arguments: [String], environment: [String: String] = [:]) throws {
        var ends: [Int32] = [-1, -1]
        // A socket pair can be made close-on-exec in one step, so no other child started meanwhile holds its end.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw TestingError("no socket pair") }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        // Threads of the pool block signals, and a child would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var pairs: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // What the tests themselves go by, as BATON_DAY, is a setting for batond.
            if parts.count == 2, !parts[0].hasPrefix("BATON_") { pairs[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        pairs.merge(environment) { $1 }
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = pairs.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var child: pid_t = 0
        let failure = posix_spawnp(&child, arguments.first ?? "", &actions, &attributes, &argv, &envp)
        guard failure == 0 else {
            close(ends[0])
            throw TestingError("cannot start \(arguments.first ?? ""): \(failure)")
        }
        processID = child
        output = ends[0]
    }

    deinit {
        kill()
        close(output)
    }

    /// Kills it and waits until it is gone.
    public func kill() {
        signal(SIGKILL)
        _ = finish()
    }

    /// Sends it a signal, unless it was waited for: its id may be another's by then, even that of a thread of this process.
    ///
    /// SIGSTOP has stopped all of its threads when this returns: until then one of them may still answer what comes next.
    public func signal(_ number: Int32) {
        isReaped.withLock { isReaped in
            guard !isReaped, Glibc.kill(processID, number) == 0, number == SIGSTOP else { return }
            var facts = siginfo_t()
            while waitid(P_PID, id_t(processID), &facts, WSTOPPED | WEXITED | WNOWAIT) == -1, errno == EINTR {}
        }
    }

    /// All that it still prints, and its exit status (128 + the signal that ended it).
    public func end() async -> (output: String, status: Int32) {
        await withTaskCancellationHandler {
            await onThreadOfItsOwn { [self] in waitForEnd() }
        } onCancel: {
            giveUp()
        }
    }

    /// The next line of its output; nil at the end.
    public func nextLine() async -> String? {
        await withTaskCancellationHandler {
            await onThreadOfItsOwn { [self] in (try? readLine()) ?? nil }
        } onCancel: {
            giveUp()
        }
    }

    /// Kills it, and ends its output, which whatever it started may hold open: nobody waits for either any more.
    public func giveUp() {
        signal(SIGKILL)
        shutdown(output, Int32(SHUT_RDWR))
    }

    /// As `end()`, but blocks: not for a thread of the pool.
    public func waitForEnd() -> (output: String, status: Int32) {
        var text: [UInt8] = []
        while let byte = readByte() { text.append(byte) }
        return (String(decoding: text, as: UTF8.self), finish() ?? -1)
    }

    /// As `nextLine()`, but blocks: not for a thread of the pool.
    public func readLine() throws -> String? {
        var line: [UInt8] = []
        while let byte = readByte() {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    private func readByte() -> UInt8? {
        var byte: UInt8 = 0
        return read(output, &byte, 1) == 1 ? byte : nil
    }

    private func finish() -> Int32? {
        guard !isReaped.withLock(\.self) else { return nil }
        // Not under the lock: as long as it lives somebody may want to send it a signal.
        var facts = siginfo_t()
        while waitid(P_PID, id_t(processID), &facts, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        return isReaped.withLock { isReaped in
            guard !isReaped else { return nil }
            isReaped = true
            var status: Int32 = 0
            waitpid(processID, &status, 0)
            return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
        }
    }
}
