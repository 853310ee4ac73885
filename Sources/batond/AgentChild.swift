import DBus
import Glibc
import Logging
import Secrets
import ServiceLifecycle
import Subprocess
import Supervisor
import SystemPackage

/// Runs baton-agent as a child of batond, as on a session bus; starts it again when it ends.
struct AgentChild {
    /// Where baton-agent lies.
    let executable: FilePath
    /// The bus that both are on.
    let bus: DaemonOptions.Bus
    /// What the agent shows when it registers.
    let credential: AgentCredential
    /// Whose clock is waited on.
    let thread: BusThread
    let log: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            var failures = 0
            while !Task.isCancelled {
                let started = ContinuousClock.now
                do {
                    let status = try await runOnce()
                    guard !Task.isCancelled else { return }
                    log.warning("the agent ended", metadata: ["status": "\(status)"])
                } catch {
                    guard !Task.isCancelled else { return }
                    log.error(
                        "the agent cannot be started",
                        metadata: ["executable": "\(executable)", "error": "\(error)"])
                }
                // An agent that cannot live must not keep the machine busy.
                failures = started.duration(to: .now) > .seconds(10) ? 0 : min(failures + 1, 5)
                try? await thread.sleep(for: .milliseconds(100 << failures))
            }
        }
    }

    private func runOnce() async throws -> TerminationStatus {
        let secret = await credential.issue()
        do {
            let socket = try Self.socket(holding: secret)
            let result = try await Subprocess.run(
                .path(executable), arguments: Arguments(busArguments + ["--parent-death", "--credential-stdin"]),
                input: .fileDescriptor(socket, closeAfterSpawningProcess: true), output: .discarded,
                error: .currentStandardError
            ) { execution in
                await credential.started(execution.processIdentifier.value)
            }
            await credential.ended()
            return result.terminationStatus
        } catch {
            await credential.ended()
            throw error
        }
    }

    /// A socket with the bytes in it and no process at the other end: unlike a pipe, no other process can open it a second
    /// time through /proc.
    private static func socket(holding secret: Secret) throws -> FileDescriptor {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Errno(rawValue: errno) }
        let (mine, theirs) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
        let written = secret.withUnsafeBytes { send(ends[0], $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        let error = errno
        try? mine.close()
        guard written == secret.count else {
            try? theirs.close()
            throw Errno(rawValue: error)
        }
        return theirs
    }

    private var busArguments: [String] {
        switch bus {
        case .session: ["--session"]
        case .system: ["--system"]
        case .address(let address): ["--bus", address]
        }
    }

    /// Beside this program, where `make` and the package put both.
    static func standardExecutable() -> FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
        guard length > 0 else { return nil }
        let path = String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return FilePath(path).removingLastComponent().appending("baton-agent")
    }
}
