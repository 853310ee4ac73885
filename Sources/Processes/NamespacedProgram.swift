import Glibc
import LinuxSystem
import Vocabulary

/// A program in a pid namespace of its own, which bubblewrap makes.
///
/// The kernel lets the first process of a pid namespace end only after all others in it: its end is the proof.
final class NamespacedProgram: WrappedProgram {
    let proof = Proof.namespace
    private let first: ProcessHandle
    private let outer: Child
    /// Pinned apart, for a task that waits for its end without reaping it.
    private let ending: ProcessHandle
    /// Its thread's end would be the program's: `--die-with-parent` means the thread.
    private let launcher: Launcher

    private init(first: ProcessHandle, outer: Child, ending: ProcessHandle, launcher: Launcher) {
        self.first = first
        self.outer = outer
        self.ending = ending
        self.launcher = launcher
    }

    static func start(
        _ command: [String], _ environment: [String: String], _ descriptors: [Int32: Descriptor], _ launcher: Launcher,
        _ limit: TimeLimit
    ) async throws(LaunchFault) -> NamespacedProgram {
        guard let (information, telling) = Descriptor.pipe(), let (holding, release) = Descriptor.pipe() else {
            throw .failed("no descriptors left")
        }
        let number = max(2, descriptors.keys.max() ?? 2) + 1
        let outer = try await launcher.start(
            [
                Bubblewrap.program, "--unshare-pid", "--die-with-parent", "--dev-bind", "/", "/", "--proc", "/proc",
                "--info-fd", "\(number)", "--block-fd", "\(number + 1)", "--",
            ] + command,
            environment: environment,
            descriptors: descriptors.merging([number: telling, number + 1: holding]) { $1 })
        let first = await OwnThread.run { Bubblewrap.firstProcess(information, of: outer, limit: limit) } ?? nil
        guard let first, let ending = ProcessHandle(unreaped: outer) else {
            outer.abandon()
            _ = await outer.exit(limit: TimeLimit(.seconds(5)))
            throw .failed("bubblewrap cannot make a pid namespace")
        }
        // Pinned before the program runs: it may end at once, and its number be another process's.
        var byte: UInt8 = 1
        _ = write(release.raw, &byte, 1)
        return NamespacedProgram(first: first, outer: outer, ending: ending, launcher: launcher)
    }

    /// The program is the first child of the namespace's first process; orphans, which fall to that one too, are younger.
    func send(_ signal: Int32) {
        let children = (ProcessRecord.pids() ?? []).compactMap { ProcessRecord(pid: $0) }
            .filter { $0.parent == first.pid }
        guard let oldest = children.min(by: { ($0.started, $0.pid) < ($1.started, $1.pid) }),
            let program = ProcessHandle(pid: oldest.pid), program.started == oldest.started
        else { return }
        program.send(signal)
    }

    func exit() async -> Int32? {
        guard await ending.isGoneAtLast() else { return nil }
        return await outer.exit(limit: TimeLimit(.seconds(5)))
    }

    func end(limit: TimeLimit) async -> String? {
        first.send(SIGKILL)
        outer.kill()
        guard await first.isGone(within: limit), await outer.exit(limit: limit) != nil else {
            return "the first process of its pid namespace did not end in time"
        }
        return nil
    }
}
