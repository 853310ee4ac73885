import Glibc
public import LinuxSystem

/// A program that runs in a turn.
public final class RunningTurnProgram: Sendable {
    public enum End: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
        /// Its unit has ended without a word, as when the slice is ended.
        case withoutWord
    }

    /// As the other side says; enough for a log, and no proof of anything.
    public let pid: Int32
    private let connection: Descriptor

    init(pid: Int32, connection: Descriptor) {
        self.pid = pid
        self.connection = connection
    }

    /// Has PID 1 end it, with all that it has started.
    public func close() { _ = shutdown(connection.raw, CInt(SHUT_RDWR)) }

    /// How it ended; nil if it has not within the limit. Blocks the calling thread.
    public func end(limit: TimeLimit) -> End? {
        switch TurnAnswer.next(on: connection, limit: limit) {
        case .ended(let status) where status & 0x7f == 0: .exited(status >> 8 & 0xff)
        case .ended(let status): .signalled(status & 0x7f)
        case .started, .failed: .withoutWord
        case nil: limit.isOver ? nil : .withoutWord
        }
    }
}
