import BusTesting
public import DBus
import Glibc

/// The agent that batond started, as a process that a test can stop.
public struct AgentProcess: Sendable {
    public let name: BusName
    public let pid: Int32

    /// - Parameter count: Which registration of an agent in the daemon's log.
    public init(of daemon: Program, on terminal: Terminal, count: Int = 1) async throws {
        let line = try await daemon.line(containing: "the agent has registered", count: count)
        guard let word = line.split(separator: " ").first(where: { $0.hasPrefix("sender=") }),
            let name = BusName(String(word.dropFirst("sender=".count))),
            let pid = try await terminal.connect().credentials(of: name).pid
        else { throw TestingError("no agent in '\(line)'") }
        self.name = name
        self.pid = pid
    }

    public func pause() { kill(pid, SIGSTOP) }
    public func resume() { kill(pid, SIGCONT) }
}
