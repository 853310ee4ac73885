import CLinux
import Glibc
package import LinuxSystem

/// The other side of `SubreaperConfinement`: baton-agent in another role, the ancestor of one program and all that it starts.
///
/// It ends when it has no child left. It ends them all when the agent hangs up or is gone.
public enum Reaper {
    package static let runs = UInt8(ascii: "r")
    package static let isMissing = UInt8(ascii: "m")
    /// The exit code of a reaper that has seen the last of its children.
    package static let proven: Int32 = 0

    private static let word = "--reap"

    package static func command(_ command: [String], line: Int32, program: String) -> [String] {
        [program, word, "\(line)", "--"] + command
    }

    /// Plays the role when the program's arguments ask for it; the exit code, or nil when they do not.
    ///
    /// Before anything else: it blocks, and children of others would confuse it.
    public static func play(_ arguments: [String]) -> Int32? {
        guard arguments.count >= 5, arguments[1] == word, let line = Int32(arguments[2]), arguments[3] == "--" else {
            return nil
        }
        return run(Array(arguments.dropFirst(4)), line: line)
    }

    private static func run(_ command: [String], line: Int32) -> Int32 {
        guard baton_become_subreaper() == 0, baton_close_on_exec(line) == 0 else { return 1 }
        // A service manager's SIGTERM is for the program; the reaper stays to see its end.
        for number in [SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGTTOU] { signal(number, SIG_IGN) }
        let (failure, program) = start(command)
        var answer = failure == 0 ? runs : failure == ENOENT || failure == EACCES ? isMissing : UInt8(ascii: "f")
        guard write(line, &answer, 1) == 1, failure == 0 else {
            endChildren()
            return failure == 0 ? proven : 1
        }
        say(program, on: line)
        let watches = OwnThread.start {
            var status: Int32 = 0
            while true {
                let ended = waitpid(-1, &status, 0)
                if ended == program { say(exitCode(status), on: line) }
                if ended <= 0, errno != EINTR { break }
            }
            _exit(proven)
        }
        guard watches else {
            endChildren()
            return 1
        }
        var byte: UInt8 = 0
        while true {
            let count = read(line, &byte, 1)
            if count == 0 || (count < 0 && errno != EINTR) { break }
        }
        endChildren()
        return proven
    }

    /// What a shell says of an end: the exit code, or 128 + the signal.
    static func exitCode(_ status: Int32) -> Int32 {
        status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    /// The other end may not be read; the line's buffer holds it.
    private static func say(_ number: Int32, on line: Int32) {
        var number = number
        _ = send(line, &number, MemoryLayout<Int32>.size, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    }

    /// The next number that the reaper says: first the program's pid, then its exit code. Nil when the reaper is gone.
    static func number(on line: Descriptor) -> Int32? {
        var number: Int32 = 0
        let size = MemoryLayout<Int32>.size
        return recv(line.raw, &number, size, Int32(MSG_WAITALL)) == size ? number : nil
    }

    private static func start(_ command: [String]) -> (failure: CInt, program: pid_t) {
        guard let program = command.first else { return (ENOENT, 0) }
        var argv: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var pid = pid_t()
        let failure = SpawnAttributes.with { posix_spawn(&pid, program, nil, &$0, &argv, environ) }
        return (failure, pid)
    }

    /// Ends all descendants, again and again, until the last one is gone. The other thread, where there is one, ends the process
    /// then, unless this one sees it first.
    private static func endChildren() {
        while true {
            // The agent or the run may have been gone before the other thread began, which else sees to those that have ended.
            while waitpid(-1, nil, WNOHANG) > 0 {}
            let own = (ProcessRecord.pids() ?? []).filter { ProcessRecord(pid: $0)?.parent == getpid() }
            if own.isEmpty, waitpid(-1, nil, WNOHANG) < 0, errno == ECHILD { return }
            _ = ProcessTree.stop(own.compactMap { ProcessHandle(pid: $0) }, limit: TimeLimit(.seconds(1)))
            // One that is not ours to kill would be asked about without a pause.
            poll(nil, 0, 5)
        }
    }

    /// What the reaper says when it has started the program, or nil.
    package static func answer(on line: Descriptor, of child: Child, limit: TimeLimit) -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let hasEnded = !child.isRunning
            if recv(line.raw, &byte, 1, Int32(MSG_DONTWAIT)) == 1 { return byte }
            if hasEnded || limit.isOver { return nil }
            var items = [
                pollfd(fd: line.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: child.descriptor.raw, events: Int16(POLLIN), revents: 0),
            ]
            poll(&items, 2, limit.milliseconds(cap: 100))
        }
    }
}
