import CLinux
package import Glibc

/// An open directory: reads its entries one by one and acts on them by name, never by path.
package final class DirectoryStream {
    package enum Next {
        case entry(EntryName)
        case end
        case failed(CInt)
    }

    package let descriptor: CInt
    package let device: dev_t
    package let inode: ino_t
    package let owner: uid_t
    /// As it was found, also when it had to be changed to get in.
    package let mode: mode_t
    private let stream: OpaquePointer

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK

    private init?(owning descriptor: CInt, mode: mode_t? = nil) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let stream = fdopendir(descriptor) else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.stream = stream
        device = status.st_dev
        inode = status.st_ino
        owner = status.st_uid
        self.mode = mode ?? status.st_mode & 0o7777
    }

    deinit {
        closedir(stream)
    }

    /// Opens a real directory below another; the error is a positive errno.
    package static func open(_ name: EntryName, in parent: CInt, acrossMounts: Bool = false) -> Result<
        DirectoryStream, Failure
    > {
        var result = beneath(parent, name, flags, acrossMounts)
        var mode: mode_t?
        if result == -EACCES {
            mode = makeReadable(name, in: parent, acrossMounts)
            if mode != nil { result = beneath(parent, name, flags, acrossMounts) }
        }
        if result < 0 { return .failure(Failure(error: -result)) }
        return DirectoryStream(owning: result, mode: mode).map { .success($0) } ?? .failure(Failure(error: EIO))
    }

    package struct Failure: Error {
        package let error: CInt
    }

    /// The directory that holds this one now, wherever it was moved to.
    package func parent() -> DirectoryStream? {
        let result = openat(descriptor, "..", Self.flags)
        return result < 0 ? nil : DirectoryStream(owning: result)
    }

    package func isSame(as other: DirectoryStream) -> Bool {
        device == other.device && inode == other.inode
    }

    /// The next entry but `.` and `..`; entries removed or made meanwhile may or may not come.
    package func next() -> Next {
        while true {
            errno = 0
            guard let entry = readdir(stream) else { return errno == 0 ? .end : .failed(errno) }
            let name = EntryName(entry)
            if !name.isDots { return .entry(name) }
        }
    }

    package func rewind() {
        rewinddir(stream)
    }

    /// Removes a name; the data of a hard link or the target of a symbolic one stays. Answers 0 or an errno.
    package func remove(_ name: EntryName, directory: Bool) -> CInt {
        unlinkat(descriptor, name.bytes, directory ? AT_REMOVEDIR : 0) == 0 ? 0 : errno
    }

    package func status(of name: EntryName) -> stat? {
        var result = stat()
        return fstatat(descriptor, name.bytes, &result, AT_SYMLINK_NOFOLLOW) == 0 ? result : nil
    }

    /// A file or directory for its path only: nothing is read, no device or fifo is touched.
    package func locate(_ name: EntryName) -> Descriptor? {
        let result = Self.beneath(descriptor, name, baton_open_path_only() | O_NOFOLLOW | O_CLOEXEC, false)
        return result < 0 ? nil : Descriptor(owning: result)
    }

    private static func beneath(_ parent: CInt, _ name: EntryName, _ flags: CInt, _ acrossMounts: Bool) -> CInt {
        var result: CInt = 0
        // The kernel answers EAGAIN when something is renamed at that instant.
        for _ in 0..<16 {
            result = baton_open_beneath(parent, name.bytes, flags, acrossMounts ? 1 : 0)
            if result != -EAGAIN && result != -EINTR { break }
        }
        return result
    }

    /// The mode that it had.
    private static func makeReadable(_ name: EntryName, in parent: CInt, _ acrossMounts: Bool) -> mode_t? {
        let result = beneath(parent, name, baton_open_path_only() | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, acrossMounts)
        if result < 0 { return nil }
        let found = Descriptor(owning: result)
        guard let status = found.status(), status.st_uid == getuid() else { return nil }
        let mode = status.st_mode & 0o7777
        return found.changeMode(mode | 0o700) ? mode : nil
    }
}
