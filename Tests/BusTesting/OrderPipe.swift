import Glibc

/// A named pipe by which a test tells a program what to do, line by line.
public struct OrderPipe: Sendable {
    public let path: String

    public init(at path: String) throws {
        guard mkfifo(path, 0o600) == 0 else { throw TestingError("no pipe at \(path)") }
        self.path = path
    }

    /// Fails if the program has not opened it yet, or is gone; else opening it would wait for ever.
    public func send(_ orders: [String]) throws {
        let lines = orders.map { $0 + "\n" }.joined()
        let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        guard write(descriptor, lines, lines.utf8.count) == lines.utf8.count else {
            throw TestingError("nothing reads \(orders)")
        }
    }
}
