import CLinux
import Glibc
public import LinuxSystem

/// Starts child processes, from one thread that lives as long as this does.
///
/// `PR_SET_PDEATHSIG`, on which `bwrap --die-with-parent` rests, fires when the *thread* that made the child ends. A thread
/// of the pool may end at any time and would take the browser with it.
public final class Launcher: Sendable {
    private let jobs = JobQueue()

    public init() {
        Self.forbidCores()
        let jobs = jobs
        _ = OwnThread.start { jobs.run() }
    }

    deinit { jobs.close() }

    /// A core file would keep a worker's memory on the disk. The limit is inherited and cannot be raised again.
    private static func forbidCores() {
        let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        // One byte: no file, as with 0, and the kernel does not hand the memory to systemd-coredump either.
        limit = rlimit(rlim_cur: min(limit.rlim_max, 1), rlim_max: min(limit.rlim_max, 1))
        setrlimit(resource, &limit)
    }

    /// Starts a program with an empty signal mask and default handlers, in a session of its own, with exactly these
    /// descriptors; 0 is empty and 1 and 2 are the agent's own where nothing else is said.
    ///
    /// - Parameter environment: All of it.
    public func start(
        _ command: [String], environment: [String: String], descriptors: [Int32: Descriptor] = [:]
    ) async throws(LaunchFault) -> Child {
        let result: Result<Child, LaunchFault> = await withCheckedContinuation { continuation in
            let accepted = jobs.add {
                continuation.resume(returning: Self.spawn(command, environment, descriptors))
            }
            if !accepted { continuation.resume(returning: .failure(.failed("the agent is stopping"))) }
        }
        return try result.get()
    }

    private static func spawn(
        _ command: [String], _ environment: [String: String], _ descriptors: [Int32: Descriptor]
    ) -> Result<Child, LaunchFault> {
        guard let program = command.first, program.hasPrefix("/") else {
            return .failure(.missing(command.first ?? "no program"))
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        guard descriptors.keys.allSatisfy({ (0...255).contains($0) }) else {
            return .failure(.failed("no descriptor of a child may have a number above 255"))
        }
        // First out of the way of all targets, so that no target closes a source that is still needed.
        let top = max(2, descriptors.keys.max() ?? 2) + 1
        var sources: [Int32: Descriptor] = [:]
        for (target, descriptor) in descriptors {
            let moved = baton_duplicate_above(descriptor.raw, top)
            guard moved >= 0 else { return .failure(.failed("no descriptors left")) }
            sources[target] = Descriptor(owning: moved)
        }
        for (target, source) in sources { posix_spawn_file_actions_adddup2(&actions, source.raw, target) }
        // What the agent itself inherited, or a library opened without close-on-exec.
        for other in 3..<max(3, top) where sources[other] == nil { posix_spawn_file_actions_addclose(&actions, other) }
        _ = baton_spawn_close_from(&actions, top)
        var argv: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var pid = pid_t()
        let failure = withExtendedLifetime(sources) {
            SpawnAttributes.with { posix_spawn(&pid, program, &actions, &$0, &argv, &envp) }
        }
        guard failure == 0 else {
            return .failure(failure == ENOENT || failure == EACCES ? .missing(program) : .failed(reason(failure)))
        }
        // A child that ended already is a zombie until it is reaped, so its pid still means it.
        guard let descriptor = Child.pin(pid) else {
            Child.killGroup(pid)
            waitpid(pid, nil, 0)
            return .failure(.failed("the process cannot be watched"))
        }
        return .success(Child(pid: pid, descriptor: descriptor))
    }
}
