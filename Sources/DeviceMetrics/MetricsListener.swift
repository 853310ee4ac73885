import CLinux
import Glibc
import LinuxSystem

/// A Unix socket that listens at a path, until `remove`.
struct MetricsListener {
    struct Fault: Error {
        let problem: String
    }

    /// Connections that wait to be taken.
    private static let backlog: Int32 = 16

    let descriptor: Descriptor
    private let path: String
    private let inode: ino_t

    /// Its group may connect, which the folder decides where its mode has the setgid bit.
    ///
    /// The socket is made under another name and then put in its place, so that no caller finds it with other permissions. One
    /// that a killed batond left is replaced; what is no socket, or one at which a program listens, stays.
    init(_ path: String) throws(Fault) {
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFSOCK else {
                throw Fault(problem: "something else has this name; it stays")
            }
            guard Descriptor.connected(to: path) == nil else {
                throw Fault(problem: "another program listens there")
            }
        }
        let raw = baton_stream_socket()
        guard raw >= 0 else { throw Fault(problem: Self.problem(-raw)) }
        descriptor = Descriptor(owning: raw)
        let temporary = path + ".new"
        unlink(temporary)
        let failure = descriptor.bind(to: temporary)
        guard failure == 0 else { throw Fault(problem: Self.problem(failure)) }
        guard chmod(temporary, 0o660) == 0, listen(raw, Self.backlog) == 0, lstat(temporary, &status) == 0,
            rename(temporary, path) == 0
        else {
            let failure = errno
            unlink(temporary)
            throw Fault(problem: Self.problem(failure))
        }
        self.path = path
        inode = status.st_ino
    }

    /// Unless another program's has taken its place.
    func remove() {
        var status = stat()
        if lstat(path, &status) == 0, status.st_ino == inode { unlink(path) }
    }

    /// The next connection that waits; nil: none does, or it cannot be taken (then `isFull`).
    func accept(isFull: inout Bool) -> Descriptor? {
        while true {
            let raw = baton_accept(descriptor.raw)
            if raw >= 0 { return Descriptor(owning: raw) }
            switch -raw {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return nil
            default:
                isFull = true
                return nil
            }
        }
    }

    private static func problem(_ error: CInt) -> String { String(cString: strerror(error)) }
}
