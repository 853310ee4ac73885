import BusTesting
import FolderTesting
import Glibc
import TerminalTesting

/// strace, which lets calls of a stopped program fail from then on, in all its threads.
struct FailingDisk {
    private let strace: Program
    private let log: String

    /// Waits until the program stops and lets it go on without its disk.
    ///
    /// - Parameter calls: Those that fail.
    /// - Parameter error: What they fail with; without a word an input/output error.
    /// - Parameter once: The next one only.
    /// - Returns: Nil when it ended without stopping.
    init?(
        under program: Program, calls: String, error: String = "EIO", once: Bool = false, _ terminal: Terminal
    ) async throws {
        guard await Self.isStopped(program.pid) else { return nil }
        log = "\(terminal.folder)/strace-\(program.pid)"
        strace = try terminal.run([
            "strace", "-f", "-o", log, "-e", "trace=\(calls)", "-e",
            "inject=\(calls):error=\(error)" + (once ? ":when=1" : ""), "-p", "\(program.pid)",
        ])
        try await strace.line(containing: "attached")
        program.signal(SIGCONT)
    }

    /// How many calls failed; for a program that has ended.
    func injected() async -> Int {
        _ = await strace.end()
        return (contents(log) ?? "").split(separator: "\n").count { $0.contains("(INJECTED)") }
    }

    private static func isStopped(_ pid: Int32) async -> Bool {
        await onThreadOfItsOwn {
            var facts = siginfo_t()
            while waitid(P_PID, id_t(pid), &facts, WSTOPPED | WEXITED | WNOWAIT) == -1 {
                guard errno == EINTR else { return false }
            }
            return facts.si_code == CLD_STOPPED
        }
    }
}
