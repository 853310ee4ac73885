package import Glibc

/// A file descriptor that closes itself.
public final class Descriptor: Sendable {
    public let raw: CInt

    public init(owning raw: CInt) {
        self.raw = raw
    }

    deinit {
        close(raw)
    }

    /// The file's status.
    package func status() -> stat? {
        var result = stat()
        return fstat(raw, &result) == 0 ? result : nil
    }

    /// Opens the same file once more with other flags, also one that was opened for its path only.
    package func reopened(flags: CInt) -> Descriptor? {
        let descriptor = open("/proc/self/fd/\(raw)", flags | O_CLOEXEC)
        return descriptor < 0 ? nil : Descriptor(owning: descriptor)
    }

    /// Changes the mode, also of a file that was opened for its path only.
    package func changeMode(_ mode: mode_t) -> Bool {
        chmod("/proc/self/fd/\(raw)", mode) == 0
    }
}

/// A plain word for the errors that a person may meet.
package func reason(_ error: CInt) -> String {
    switch error {
    case EACCES: "permission denied"
    case EPERM: "not permitted"
    case EROFS: "read-only file system"
    case EBUSY: "in use as a mount"
    case EXDEV: "another mount, not entered"
    case EIO: "input/output error"
    case ENOSPC: "no space left"
    case EMFILE, ENFILE: "too many open files"
    case ENOTEMPTY: "not empty"
    case ESRCH: "no such process"
    case ENOSYS: "not supported by this kernel"
    default: "error \(error)"
    }
}
