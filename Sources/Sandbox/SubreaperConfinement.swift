import CLinux
import Checkpoints
import Glibc
import LinuxSystem
import Processes
import Vocabulary

/// A program below a reaper, to which all its orphans fall: that the reaper has no child left is the proof.
final class SubreaperConfinement: Confinement {
    let name: String
    let proof = Proof.tree
    /// The reaper.
    let process: ProcessHandle
    private let child: Child
    private let open: OpenSandbox
    /// Hung up, it tells the reaper to end everything; so does the agent's end, however it comes.
    private let line: Descriptor

    private init(_ open: OpenSandbox, process: ProcessHandle, child: Child, line: Descriptor) {
        name = open.program.name
        self.process = process
        self.child = child
        self.open = open
        self.line = line
    }

    var roots: Set<Int32> { Set([process.pid, open.proxy?.process.pid].compactMap(\.self)) }

    static func start(
        _ open: OpenSandbox, reaper: String?, launcher: Launcher, limit: TimeLimit
    ) async throws(LaunchFault) -> SubreaperConfinement {
        guard let reaper else { throw .missing("baton-agent") }
        guard let (line, other) = Descriptor.socketPair() else { throw .failed("no descriptors left") }
        let number = max(2, open.program.descriptors.keys.max() ?? 2) + 1
        let descriptors = open.program.descriptors.merging([number: other]) { $1 }
        let child = try await launcher.start(
            Reaper.command(open.program.command, line: number, program: reaper), environment: open.environment,
            descriptors: descriptors)
        let answer = await OwnThread.run { Reaper.answer(on: line, of: child, limit: limit) } ?? nil
        guard answer == Reaper.runs, let process = ProcessHandle(unreaped: child) else {
            shutdown(line.raw, Int32(SHUT_RDWR))
            if await child.exit(limit: TimeLimit(.seconds(5))) == nil { child.kill() }
            throw answer == Reaper.isMissing
                ? .missing(open.program.command.first ?? "") : .failed("the reaper did not start it")
        }
        open.note.record([.first: process, .proxy: open.proxy?.process])
        return SubreaperConfinement(open, process: process, child: child, line: line)
    }

    func untilGone() async {
        guard await process.isGoneAtLast() else { return }
        _ = await end(limit: TimeLimit(.seconds(5)))
    }

    func end(limit: TimeLimit) async -> String? {
        checkpoint("sandbox: before its reaper is told to end")
        shutdown(line.raw, Int32(SHUT_RDWR))
        checkpoint("sandbox: after its reaper was told to end")
        // The program may have stopped it.
        process.send(SIGCONT)
        guard let code = await child.exit(limit: limit) else { return "\(name): it did not end in time" }
        // The program may have killed it, and then its orphans fell to another process.
        guard code == Reaper.proven else { return "\(name): the reaper was killed, so nothing is proven" }
        return await open.close(limit: limit)
    }
}
