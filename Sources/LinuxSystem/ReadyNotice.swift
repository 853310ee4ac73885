import CLinux
import Glibc

/// Tells systemd that the service is ready, stopping or alive: sd_notify(3), without libsystemd for one datagram.
package struct ReadyNotice: Sendable {
    /// `NOTIFY_SOCKET` of the environment; nil: no service manager wants to know.
    package let socketPath: String?

    package init(socketPath: String?) { self.socketPath = socketPath }

    /// Sends a state, and with it a descriptor for systemd to keep.
    package func send(_ state: String, keeping descriptor: Int32? = nil) {
        guard let socketPath, let first = socketPath.utf8.first else { return }
        let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return }
        defer { close(file) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard socketPath.utf8.count < capacity else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { field in
            for (index, byte) in socketPath.utf8.enumerated() { field[index] = byte }
            // An abstract socket is written with @ and begins with a zero byte.
            if first == UInt8(ascii: "@") { field[0] = 0 }
        }
        let length = MemoryLayout<sa_family_t>.size + socketPath.utf8.count
        let message = Array(state.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                if let descriptor {
                    _ = baton_send_descriptor(
                        file, address, UInt32(length), message, UInt(message.count), descriptor)
                } else {
                    _ = sendto(file, message, message.count, Int32(MSG_NOSIGNAL), address, socklen_t(length))
                }
            }
        }
    }
}
