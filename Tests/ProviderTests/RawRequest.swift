import BusTesting
import Glibc

/// A connection to 127.0.0.1 on which a request is sent in pieces.
final class RawRequest: Sendable {
    private let socket: Int32

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(clamping: port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(socket)
            throw TestingError("no connection to port \(port)")
        }
    }

    deinit { close(socket) }

    func send(_ text: String) throws {
        guard Glibc.send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count else {
            throw TestingError("the connection is closed")
        }
    }

    /// All that comes until the connection is closed.
    func answer() async throws -> String {
        let socket = socket
        return await onThreadOfItsOwn {
            var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
            while case let count = recv(socket, &piece, piece.count, 0), count > 0 { bytes += piece.prefix(count) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
