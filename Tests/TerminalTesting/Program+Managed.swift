import BusTesting
import Glibc

/// A batond under `Terminal.startManaged`, whose output and process id this is not.
extension Program {
    /// - Parameter start: How often batond has been started.
    public func managedDaemon(start: Int) async throws -> Int32 {
        let line = try await line(containing: "manager: started", count: start)
        guard let pid = line.split(separator: " ").dropFirst(2).first.flatMap({ Int32($0) }) else {
            throw TestingError("no process id in '\(line)'")
        }
        return pid
    }

    /// Kills it, and waits until another one has taken its place with its agent.
    public func killManagedDaemon(start: Int) async throws {
        Glibc.kill(try await managedDaemon(start: start), SIGKILL)
        try await line(containing: "manager: started", count: start + 1)
        try await line(containing: "the agent has registered", count: start + 1)
    }
}
