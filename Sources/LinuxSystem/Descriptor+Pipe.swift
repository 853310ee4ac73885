import CLinux
import Glibc

extension Descriptor {
    /// A pipe whose ends children do not inherit; nil when the system has no descriptors left.
    ///
    /// - Parameter flags: `O_NONBLOCK`, of both ends.
    package static func pipe(_ flags: CInt = 0) -> (read: Descriptor, write: Descriptor)? {
        var ends: [CInt] = [-1, -1]
        guard baton_pipe(&ends, flags) == 0, let read = ends.first, let write = ends.last else { return nil }
        return (Descriptor(owning: read), Descriptor(owning: write))
    }

    /// Two connected stream sockets, likewise.
    package static func socketPair() -> (Descriptor, Descriptor)? {
        var ends: [CInt] = [-1, -1]
        guard baton_socket_pair(&ends) == 0, let one = ends.first, let other = ends.last else { return nil }
        return (Descriptor(owning: one), Descriptor(owning: other))
    }

    /// A stream socket that does not block, connected to the one that listens at a path; nil if none does.
    package static func connected(to path: String) -> Descriptor? {
        let raw = baton_stream_socket()
        guard raw >= 0 else { return nil }
        let socket = Descriptor(owning: raw)
        return socket.connect(to: path) == 0 ? socket : nil
    }

    /// Connects this socket to the one that listens at a path.
    ///
    /// - Returns: 0 or an errno; `ENAMETOOLONG` if the path is longer than an address can be.
    package func connect(to path: String) -> CInt {
        withAddress(path) { Glibc.connect(raw, $0, $1) }
    }

    /// Gives this socket a path, at which a file is made; likewise.
    package func bind(to path: String) -> CInt {
        withAddress(path) { Glibc.bind(raw, $0, $1) }
    }

    private func withAddress(_ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { return ENAMETOOLONG }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? 0 : errno
    }
}
