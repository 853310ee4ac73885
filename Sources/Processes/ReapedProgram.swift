import Glibc
import LinuxSystem
import Vocabulary

/// A program below a reaper, to which all its orphans fall: that the reaper has no child left is the proof.
final class ReapedProgram: WrappedProgram {
    let proof = Proof.tree
    private let reaper: ProcessHandle
    private let program: ProcessHandle?
    private let child: Child
    /// Hung up, it tells the reaper to end everything; so does the end of this process, however it comes.
    private let line: Descriptor

    private init(reaper: ProcessHandle, program: ProcessHandle?, child: Child, line: Descriptor) {
        self.reaper = reaper
        self.program = program
        self.child = child
        self.line = line
    }

    static func start(
        _ command: [String], _ environment: [String: String], _ descriptors: [Int32: Descriptor], _ launcher: Launcher,
        reaper path: String, _ limit: TimeLimit
    ) async throws(LaunchFault) -> ReapedProgram {
        guard let (line, other) = Descriptor.socketPair() else { throw .failed("no descriptors left") }
        let number = max(2, descriptors.keys.max() ?? 2) + 1
        let child = try await launcher.start(
            Reaper.command(command, line: number, program: path), environment: environment,
            descriptors: descriptors.merging([number: other]) { $1 })
        let answer = await OwnThread.run { Reaper.answer(on: line, of: child, limit: limit) } ?? nil
        guard answer == Reaper.runs, let reaper = ProcessHandle(unreaped: child) else {
            shutdown(line.raw, Int32(SHUT_RDWR))
            if await child.exit(limit: TimeLimit(.seconds(5))) == nil { child.kill() }
            throw answer == Reaper.isMissing
                ? .missing(command.first ?? "") : .failed("the reaper did not start it")
        }
        let pid = Reaper.number(on: line)
        // Nil: it is gone already, and no process is left to pass signals to.
        let program = pid.flatMap { ProcessHandle(pid: $0) }
            .flatMap { $0.isChild(of: reaper) ? $0 : nil }
        return ReapedProgram(reaper: reaper, program: program, child: child, line: line)
    }

    func send(_ signal: Int32) { program?.send(signal) }

    func exit() async -> Int32? {
        let bell = Bell()
        let line = line
        return await withTaskCancellationHandler {
            await OwnThread.run { bell.wait(or: line) ? Reaper.number(on: line) : nil } ?? nil
        } onCancel: {
            bell.ring()
        }
    }

    func end(limit: TimeLimit) async -> String? {
        shutdown(line.raw, Int32(SHUT_RDWR))
        // The program may have stopped it.
        reaper.send(SIGCONT)
        guard let code = await child.exit(limit: limit) else { return "its processes did not end in time" }
        // The program may have killed it, and then its orphans fell to another process.
        return code == Reaper.proven ? nil : "its reaper was killed, so nothing is proven"
    }
}

extension ProcessHandle {
    fileprivate func isChild(of parent: ProcessHandle) -> Bool {
        ProcessRecord(pid: pid)?.parent == parent.pid && !isGone
    }
}
