internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import Subprocess
internal import SystemPackage

/// Runs baton-agent as a child of batond, as on a session bus; starts it again when it ends.
struct AgentChild {
    /// Where baton-agent lies.
    let executable: FilePath
    /// The bus that both are on.
    let bus: DaemonOptions.Bus
    let log: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            var failures = 0
            while !Task.isCancelled {
                let started = ContinuousClock.now
                do {
                    let result = try await Subprocess.run(
                        .path(executable), arguments: Arguments(busArguments + ["--parent-death"]), input: .none,
                        output: .discarded, error: .currentStandardError)
                    guard !Task.isCancelled else { return }
                    log.warning("the agent ended", metadata: ["status": "\(result.terminationStatus)"])
                } catch {
                    guard !Task.isCancelled else { return }
                    log.error(
                        "the agent cannot be started",
                        metadata: ["executable": "\(executable)", "error": "\(error)"])
                }
                // An agent that cannot live must not keep the machine busy.
                failures = started.duration(to: .now) > .seconds(10) ? 0 : min(failures + 1, 5)
                try? await Task.sleep(for: .milliseconds(100 << failures))
            }
        }
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
