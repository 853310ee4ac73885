import CLinux
import Glibc

extension Descriptor {
    /// A pipe whose ends children do not inherit; nil when the system has no descriptors left.
    ///
    /// - Parameter flags: `O_NONBLOCK`, of both ends.
    static func pipe(_ flags: CInt = 0) -> (read: Descriptor, write: Descriptor)? {
        var ends: [CInt] = [-1, -1]
        guard baton_pipe(&ends, flags) == 0, let read = ends.first, let write = ends.last else { return nil }
        return (Descriptor(owning: read), Descriptor(owning: write))
    }

    /// Two connected stream sockets, likewise.
    static func socketPair() -> (Descriptor, Descriptor)? {
        var ends: [CInt] = [-1, -1]
        guard baton_socket_pair(&ends) == 0, let one = ends.first, let other = ends.last else { return nil }
        return (Descriptor(owning: one), Descriptor(owning: other))
    }
}
