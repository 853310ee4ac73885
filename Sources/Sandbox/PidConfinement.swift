import Glibc
import LinuxSystem
import Processes
import Vocabulary

/// A program of which only the processes that can be found are ended.
final class PidConfinement: Confinement {
    let name: String
    let proof = Proof.pid
    let process: ProcessHandle
    private let child: Child
    private let open: OpenSandbox

    private init(_ open: OpenSandbox, process: ProcessHandle, child: Child) {
        name = open.program.name
        self.process = process
        self.child = child
        self.open = open
    }

    var roots: Set<Int32> { Set([process.pid, open.proxy?.process.pid].compactMap(\.self)) }

    static func start(_ open: OpenSandbox, launcher: Launcher) async throws(LaunchFault) -> PidConfinement {
        let child = try await launcher.start(
            open.program.command, environment: open.environment, descriptors: open.program.descriptors)
        guard let process = ProcessHandle(unreaped: child) else {
            _ = await child.exit(limit: TimeLimit(.seconds(5)))
            throw .failed("it cannot be watched")
        }
        open.note.record([.first: process, .proxy: open.proxy?.process])
        return PidConfinement(open, process: process, child: child)
    }

    func untilGone() async {
        guard await process.isGoneAtLast() else { return }
        _ = await end(limit: TimeLimit(.seconds(5)))
    }

    func end(limit: TimeLimit) async -> String? {
        let report =
            await OwnThread.run(limit: limit) { [process] in ProcessTree.stop([process], limit: limit) }
            ?? StopReport(ended: 0, unproven: [process.pid])
        if let why = report.explanation { return "\(name): \(why)" }
        guard await child.exit(limit: limit) != nil else { return "\(name): it did not end in time" }
        return await open.close(limit: limit)
    }
}
