import Glibc
import Subprocess
import SystemPackage

/// pkttyagent beside this process: by it polkit asks at this terminal for the password of an administrator, as it does for
/// systemctl. If the session has an agent of its own, that one asks.
enum PasswordAgent {
    private static let program = "/usr/bin/pkttyagent"

    /// Whether there is a person whom polkit could ask. Root is not asked.
    static var isOfUse: Bool { geteuid() != 0 && isatty(STDIN_FILENO) == 1 }

    /// Does the work while the agent runs; without one where none can be started.
    static func beside<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        guard isOfUse, access(program, X_OK) == 0 else { return try await work() }
        var result: Result<Value, any Error>?
        _ = try? await Subprocess.run(
            .path(FilePath(program)), arguments: ["--notify-fd", "1", "--fallback"], input: .none, output: .sequence,
            error: .discarded
        ) { agent in
            // It closes its output when polkit knows it, and asks at the terminal itself.
            for try await _ in agent.standardOutput {}
            do {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            try? agent.send(signal: .terminate)
        }
        if let result { return try result.get() }
        return try await work()
    }
}
