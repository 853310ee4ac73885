import BusTesting
import Glibc
import LinuxSystem

/// A connection to a socket of metrics, which says what the test says.
final class SocketCaller: Sendable {
    private let socket: Descriptor

    /// Nil: nothing listens there, or no more callers may wait.
    init?(_ path: String) {
        guard let socket = Descriptor.connected(to: path) else { return nil }
        self.socket = socket
    }

    func say(_ text: String) { _ = send(socket.raw, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    /// All that comes until the connection is closed.
    func answer() async -> String {
        let socket = socket
        return await onThreadOfItsOwn {
            var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
            while true {
                var item = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
                poll(&item, 1, -1)
                let count = recv(socket.raw, &piece, piece.count, 0)
                guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
                bytes += piece.prefix(count)
            }
        }
    }

    static let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
}
