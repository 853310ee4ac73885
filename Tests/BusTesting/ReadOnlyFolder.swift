import Glibc

/// A folder that nothing can be written into, as on a disk that is mounted read-only, until `end`.
public final class ReadOnlyFolder {
    private let path: String
    private var isMounted = true

    public init(_ path: String) throws {
        self.path = path
        guard mount(path, path, nil, UInt(MS_BIND), nil) == 0 else { throw TestingError("\(path): \(errno)") }
        guard mount(nil, path, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0 else {
            let reason = errno
            end()
            throw TestingError("\(path): \(reason)")
        }
    }

    public func end() {
        guard isMounted else { return }
        isMounted = false
        umount2(path, Int32(MNT_DETACH))
    }

    deinit { end() }
}
