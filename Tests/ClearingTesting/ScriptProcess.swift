import CLinux
import FolderTesting
import Glibc
public import LinuxSystem

/// A real child that runs a shell script; whatever happens, it and its session are killed with the test.
public final class ScriptProcess: Sendable {
    public let pid: Int32
    public let process: ProcessHandle
    private let output: CInt

    public struct Failure: Error {}

    /// - Parameter session: The child leads a session of its own, as an app started by a desktop does.
    public init(_ script: String, session: Bool = true) throws {
        var ends: [CInt] = [-1, -1]
        guard baton_pipe(&ends, 0) == 0 else { throw Failure() }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        let setSession: Int16 = 0x80
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | (session ? setSession : 0))
        let words = ["sh", "-c", script]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, "/bin/sh", &actions, &attributes, arguments, environ) == 0,
            let process = ProcessHandle(pid: pid)
        else {
            close(ends[0])
            throw Failure()
        }
        self.pid = pid
        self.process = process
        output = ends[0]
    }

    deinit {
        if !process.isGone { kill(pid, SIGKILL) }
        for process in Self.session(pid) { kill(process, SIGKILL) }
        close(output)
        reap()
    }

    public func reap() {
        var status: CInt = 0
        waitpid(pid, &status, 0)
    }

    /// The next line that it prints; waits for it.
    public func line() -> String {
        var result: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { result.append(byte) }
        return String(decoding: result, as: UTF8.self)
    }

    /// The process whose pid it prints next.
    public func printedProcess() throws -> ProcessHandle {
        guard let pid = Int32(line()), let process = ProcessHandle(pid: pid) else { throw Failure() }
        return process
    }

    /// The live processes of a session, read independently of the code under test.
    public static func session(_ leader: Int32) -> [Int32] {
        names(in: "/proc").compactMap { Int32($0) }.filter { pid in
            guard let stat = contents("/proc/\(pid)/stat"), let end = stat.lastIndex(of: ")") else { return false }
            let fields = stat[end...].split(separator: " ")
            return fields.count > 4 && fields[4] == "\(leader)" && fields[1] != "Z" && fields[1] != "X"
        }
    }
}

/// Waits on a pidfd until the process is gone.
public func awaitEnd(of process: ProcessHandle) {
    while !process.isGone { sched_yield() }
}
