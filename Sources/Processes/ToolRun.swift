import CLinux
import Glibc
public import LinuxSystem

/// A short run of a program of the system, whose output is read.
public struct ToolRun: Sendable {
    public enum End: Sendable, Equatable {
        /// Its exit code, or 128 + the signal that ended it, and what it printed on both outputs.
        case ended(status: Int32, output: String)
        /// Killed: it took longer than the limit.
        case late
        /// Killed: it printed more than is read.
        case tooLong
    }

    /// An absolute path and arguments.
    public var command: [String]
    /// All of it.
    public var environment: [String: String]
    public var mostBytes = 1 << 20

    public init(_ command: [String], environment: [String: String]) {
        self.command = command
        self.environment = environment
    }

    public func run(by launcher: Launcher, limit: TimeLimit) async throws(LaunchFault) -> End {
        let (child, read) = try await start(by: launcher)
        let most = mostBytes
        let output = await OwnThread.run { Self.collect(from: read, until: child, most, limit) }
        let printed: String
        switch output {
        case .success(let bytes):
            printed = String(decoding: bytes, as: UTF8.self)
        case .failure(let end):
            child.kill()
            _ = await child.exit(limit: TimeLimit(.seconds(1)))
            return end.end
        case nil:
            child.kill()
            throw .failed("no thread was left")
        }
        guard let status = await child.exit(limit: limit) else {
            child.kill()
            _ = await child.exit(limit: TimeLimit(.seconds(1)))
            return .late
        }
        return .ended(status: status, output: printed)
    }

    /// The child and its output, which ends only when our own copy of the writing end is gone: that is when this returns.
    private func start(by launcher: Launcher) async throws(LaunchFault) -> (Child, Descriptor) {
        guard let (read, write) = Descriptor.pipe() else { throw .failed("no descriptors left") }
        return (try await launcher.start(command, environment: environment, descriptors: [1: write, 2: write]), read)
    }

    private struct Stop: Error {
        let end: End
    }

    /// Reads until both ends are closed or the program itself has ended: what it left running may hold the pipe for ever.
    private static func collect(
        from pipe: Descriptor, until child: Child, _ most: Int, _ limit: TimeLimit
    ) -> Result<[UInt8], Stop> {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            var items = [
                pollfd(fd: pipe.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: child.descriptor.raw, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&items, 2, limit.milliseconds(cap: 100))
            if ready > 0, items[0].revents != 0 {
                let count = Glibc.read(pipe.raw, &buffer, buffer.count)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return .success(bytes) }
                if bytes.count + count > most { return .failure(Stop(end: .tooLong)) }
                bytes += buffer.prefix(count)
            } else if ready > 0, items[1].revents != 0 {
                return .success(bytes)
            }
            if limit.isOver { return .failure(Stop(end: .late)) }
        }
    }
}
