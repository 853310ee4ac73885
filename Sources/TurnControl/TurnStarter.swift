import CLinux
import Glibc
public import LinuxSystem

/// Has PID 1 start programs as a turn's user, in that turn's slice.
///
/// Each connection to a turn's socket is one program: systemd accepts it and starts `baton-turn-start` as the user of that
/// turn. The socket belongs to the agent's user, and no other may connect to it.
public struct TurnStarter: Sendable {
    public enum Failure: Error, Sendable, Equatable {
        /// The socket does not answer: `reason` is why.
        case unreachable(reason: String)
        case unsendable(TurnProgram.Unsendable)
        /// The turn's side could not start it, such as for a program that does not exist.
        case refused(reason: String)
        /// PID 1 or `baton-turn-start` did not answer in time, or the connection ended without a word.
        case noAnswer

        public var text: String {
            switch self {
            case .unreachable(let reason): "its socket cannot be reached: \(reason)"
            case .unsendable(let why): "the program cannot be asked for: \(why)"
            case .refused(let reason): "it was not started: \(reason)"
            case .noAnswer: "PID 1 did not answer in time"
            }
        }
    }

    /// Where the sockets are: that of turn 3 is `3`, and `3.keep` for programs that find there what apps keep.
    public static let folder = "/run/baton-turn"

    private let path: String

    /// - Parameter seesKeptData: Programs see `TurnFolders.kept`, which PID 1 makes the turn's user's before they start.
    public init(_ number: TurnNumber, seesKeptData: Bool = false, folder: String = TurnStarter.folder) {
        path = "\(folder)/\(number)" + (seesKeptData ? ".keep" : "")
    }

    /// Starts a program. Blocks the calling thread until it runs, at most until the limit.
    ///
    /// If it fails with `noAnswer`, the program may run all the same: only the end of the slice is proof that it does not.
    public func start(_ program: TurnProgram, limit: TimeLimit) throws(Failure) -> RunningTurnProgram {
        let bytes: [UInt8]
        do { bytes = try program.message() } catch { throw .unsendable(error) }
        let connection = try connect(limit)
        let descriptors = program.handed.map(\.descriptor.raw)
        let sent = baton_send_descriptors(
            connection.raw, bytes, UInt(bytes.count), descriptors, CInt(clamping: descriptors.count))
        guard sent == bytes.count else { throw .unreachable(reason: reason(errno)) }
        switch TurnAnswer.next(on: connection, limit: limit) {
        case .started(let pid): return RunningTurnProgram(pid: pid, connection: connection)
        case .failed(let error): throw .refused(reason: "\(program.arguments[0]): \(reason(error))")
        case .ended, nil: throw .noAnswer
        }
    }

    private func connect(_ limit: TimeLimit) throws(Failure) -> Descriptor {
        let raw = baton_packet_socket()
        guard raw >= 0 else { throw .unreachable(reason: reason(-raw)) }
        let connection = Descriptor(owning: raw)
        while true {
            let error = connection.connect(to: path)
            if error == 0 { return connection }
            // PID 1 has not accepted the ones before it yet.
            guard error == EAGAIN || error == EINTR, !limit.isOver else {
                throw .unreachable(reason: error == EAGAIN ? "PID 1 accepts no connection" : reason(error))
            }
            _ = poll(nil, 0, 10)
        }
    }
}
