import Glibc
import LinuxSystem
import Processes
import Vocabulary

/// A program in a control group of its own: that the group is empty is the proof.
///
/// A program of the same user that tries to can move itself to another group; it is then a stray.
final class CgroupConfinement: Confinement {
    let name: String
    let proof = Proof.cgroup
    let process: ProcessHandle
    private let child: Child
    private let group: String
    private let open: OpenSandbox

    private init(_ open: OpenSandbox, process: ProcessHandle, child: Child, group: String) {
        name = open.program.name
        self.process = process
        self.child = child
        self.group = group
        self.open = open
    }

    var roots: Set<Int32> {
        ControlGroups.processes(in: group).union([process.pid, open.proxy?.process.pid].compactMap(\.self))
    }

    static func start(
        _ open: OpenSandbox, _ groups: ControlGroups, launcher: Launcher, limit: TimeLimit
    ) async throws(LaunchFault) -> CgroupConfinement {
        let group = try groups.make(open.note.id)
        // Noted before: a process that is in no note yet is in this group.
        open.note.record([:], group: group)
        do throws(LaunchFault) {
            let sign = try StartSign(open.program)
            // It joins before it becomes the program, which so never runs outside.
            let child = try await launcher.start(
                sign.command(open.program.command, joining: group + "/cgroup.procs"), environment: open.environment,
                descriptors: sign.descriptors)
            let process = ProcessHandle(unreaped: child)
            let fault = await sign.check(child, program: open.program.command.first ?? "", limit: limit)
            guard fault == nil, let process else {
                child.kill()
                _ = await child.exit(limit: TimeLimit(.seconds(5)))
                throw fault ?? .failed("it cannot be watched")
            }
            open.note.record([.first: process, .proxy: open.proxy?.process])
            return CgroupConfinement(open, process: process, child: child, group: group)
        } catch {
            _ = await OwnThread.run { ControlGroups.end(group, limit: TimeLimit(.seconds(5))) }
            throw error
        }
    }

    func untilGone() async {
        guard await process.isGoneAtLast() else { return }
        if open.program.seesEverything {
            // Others of it may run on; the group tells when the last one ends, at long intervals for the cancelled task.
            let limit = TimeLimit(.seconds(1 << 32))
            let isEmpty = await withTaskCancellationHandler {
                await OwnThread.run { [group] in ControlGroups.waitUntilEmpty(group, limit: limit) } ?? false
            } onCancel: {
                limit.cancel()
            }
            guard isEmpty else { return }
        }
        _ = await end(limit: TimeLimit(.seconds(5)))
    }

    func end(limit: TimeLimit) async -> String? {
        let problem = await OwnThread.run(limit: limit) { [group] in ControlGroups.end(group, limit: limit) ?? "" }
        if problem != "" { return "\(name): \(problem ?? "its control group was not empty in time")" }
        guard await child.exit(limit: limit) != nil else { return "\(name): it did not end in time" }
        return await open.close(limit: limit)
    }
}

extension ControlGroups {
    /// False when the limit came first. Blocks.
    static func waitUntilEmpty(_ group: String, limit: TimeLimit) -> Bool {
        let events = open(group + "/cgroup.events", O_RDONLY | O_CLOEXEC)
        guard events >= 0 else { return isEmpty(group) }
        let watched = Descriptor(owning: events)
        while !isEmpty(group) {
            if limit.isOver { return false }
            var item = pollfd(fd: watched.raw, events: Int16(POLLPRI), revents: 0)
            poll(&item, 1, limit.milliseconds(cap: 1000))
        }
        return true
    }
}
