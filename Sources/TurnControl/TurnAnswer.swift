import Glibc
import LinuxSystem

/// What `baton-turn-start` says: a letter and a number of 32 bits, little-endian.
enum TurnAnswer: Equatable {
    case started(pid_t)
    /// An errno.
    case failed(CInt)
    /// As from waitpid(2).
    case ended(CInt)

    init?(_ packet: some Collection<UInt8>) {
        guard packet.count == 5, let letter = packet.first else { return nil }
        let number = Int32(bitPattern: packet.dropFirst().reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
        switch letter {
        case UInt8(ascii: "S") where number > 0: self = .started(number)
        case UInt8(ascii: "F"): self = .failed(number)
        case UInt8(ascii: "E"): self = .ended(number)
        default: return nil
        }
    }

    /// The next answer; nil if the connection has ended, the time is over, or the packet is not an answer.
    ///
    /// The worker's own programs can write there too, since they have the same user: nothing may depend on it but what the
    /// worker sees.
    static func next(on connection: Descriptor, limit: TimeLimit) -> TurnAnswer? {
        while !limit.isOver {
            var wait = pollfd(fd: connection.raw, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, limit.milliseconds(cap: 1000)) > 0 else { continue }
            var packet = [UInt8](repeating: 0, count: 16)
            let count = recv(connection.raw, &packet, packet.count, CInt(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            return count > 0 ? TurnAnswer(packet.prefix(count)) : nil
        }
        return nil
    }
}
