import CLinux
import Checkpoints
import Glibc
import LinuxSystem
import Processes
import Vocabulary

/// A program in bubblewrap, with a pid namespace of its own.
///
/// The kernel lets the first process of a pid namespace end only after all others in it: its end is the proof.
final class NamespaceConfinement: Confinement {
    let name: String
    let proof = Proof.namespace
    let process: ProcessHandle
    private let outer: Child
    private let proxy: BusProxy?
    private let note: SandboxNotes.Entry
    /// Its thread's end would be the sandbox's: `--die-with-parent` means the thread.
    private let launcher: Launcher

    private init(
        name: String, process: ProcessHandle, outer: Child, proxy: BusProxy?, note: SandboxNotes.Entry,
        launcher: Launcher
    ) {
        self.launcher = launcher
        self.name = name
        self.process = process
        self.outer = outer
        self.proxy = proxy
        self.note = note
    }

    deinit {
        // Ends with the agent that held it; a note stays for the next sweep.
        process.send(SIGKILL)
        outer.kill()
    }

    var roots: Set<Int32> { Set([process.pid, outer.pid, proxy?.process.pid].compactMap(\.self)) }

    static func start(
        _ program: ConfinedProgram, _ surroundings: Surroundings, launcher: Launcher, note: SandboxNotes.Entry,
        limit: TimeLimit
    ) async throws(LaunchFault) -> NamespaceConfinement {
        let proxy = try await BusProxy.start(program, surroundings, socket: note.path, launcher: launcher, limit: limit)
        do throws(LaunchFault) {
            return try await start(program, surroundings, launcher, note, proxy, limit)
        } catch {
            _ = await proxy?.end(limit: TimeLimit(.seconds(5)))
            throw error
        }
    }

    private static func start(
        _ program: ConfinedProgram, _ surroundings: Surroundings, _ launcher: Launcher, _ note: SandboxNotes.Entry,
        _ proxy: BusProxy?, _ limit: TimeLimit
    ) async throws(LaunchFault) -> NamespaceConfinement {
        let view = SandboxView(program, surroundings, buses: proxy?.sockets ?? BusProxy.Sockets())
        let sign = try StartSign(program)
        guard let (information, telling) = Descriptor.pipe(), let (holding, release) = Descriptor.pipe() else {
            throw .failed("no descriptors left")
        }
        // Above all others; bubblewrap closes them before the program runs.
        let number = (sign.descriptors.keys.max() ?? 9) + 1
        // The environment is handed over as such: on bubblewrap's command line every user could read it.
        let outer = try await launcher.start(
            [surroundings.bubblewrap] + view.arguments + [
                "--info-fd", "\(number)", "--block-fd", "\(number + 1)", "--",
            ]
                + sign.command(program.command),
            environment: view.environment,
            descriptors: sign.descriptors.merging([number: telling, number + 1: holding]) { $1 })
        let process = await OwnThread.run { Bubblewrap.firstProcess(information, of: outer, limit: limit) } ?? nil
        // Pinned before the program runs: it may end at once, and its number be another process's.
        var byte: UInt8 = 1
        _ = write(release.raw, &byte, 1)
        let fault = await sign.check(outer, program: program.command.first ?? "", limit: limit)
        guard fault == nil, let process else {
            process?.send(SIGKILL)
            outer.abandon()
            _ = await outer.exit(limit: TimeLimit(.seconds(5)))
            throw fault ?? .failed("its first process cannot be watched")
        }
        note.record([.first: process, .outer: ProcessHandle(unreaped: outer), .proxy: proxy?.process])
        return NamespaceConfinement(
            name: program.name, process: process, outer: outer, proxy: proxy, note: note, launcher: launcher)
    }

    func untilGone() async {
        guard await process.isGoneAtLast() else { return }
        _ = await end(limit: TimeLimit(.seconds(5)))
    }

    func status(within limit: TimeLimit) async -> Int32? { await outer.exit(limit: limit) }

    func end(limit: TimeLimit) async -> String? {
        checkpoint("sandbox: before its first process is killed")
        process.send(SIGKILL)
        checkpoint("sandbox: after its first process was killed")
        outer.kill()
        guard await process.isGone(within: limit), await outer.exit(limit: limit) != nil else {
            return "\(name): its first process did not end in time"
        }
        if let proxy, await !proxy.end(limit: limit) { return "\(name): its way to the bus did not end in time" }
        checkpoint("sandbox: before its note is removed")
        note.remove()
        return nil
    }
}
