import CLinux
import Glibc

/// Secrets in memory files that no process can change any more: how they travel between processes, never over a disk.
public enum SealedMemory {
    public enum Fault: Error, Hashable, Sendable {
        /// Not a memory file, or one that is not sealed against write, grow and shrink.
        case unsuitable
        case tooLong
        /// The errno of a system call.
        case system(Int32)
    }

    /// Puts a secret into a new sealed file; the caller closes the descriptor, which is close-on-exec.
    public static func make(_ secret: Secret, name: String) throws(Fault) -> Int32 {
        let file = baton_memfd_create(name)
        guard file >= 0 else { throw .system(errno) }
        let failure: Int32? = secret.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(file, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : EIO }
                written += count
            }
            return nil
        }
        let seals = BATON_SEAL_WRITE | BATON_SEAL_GROW | BATON_SEAL_SHRINK | BATON_SEAL_SEAL
        if let failure {
            close(file)
            throw .system(failure)
        }
        guard baton_add_seals(file, Int32(seals)) == 0 else {
            let failure = errno
            close(file)
            throw .system(failure)
        }
        return file
    }

    /// Reads the whole file from its beginning, wherever the descriptor stands; at most `limit` bytes.
    public static func read(_ descriptor: Int32, limit: Int) throws(Fault) -> Secret {
        let needed = Int32(BATON_SEAL_WRITE | BATON_SEAL_GROW | BATON_SEAL_SHRINK)
        // Asked first: a sender could pass a file of a file system of its own, and decide when fstat() comes back.
        let seals = baton_get_seals(descriptor)
        guard seals >= 0 || errno != EBADF else { throw .system(EBADF) }
        guard seals >= 0, seals & needed == needed else { throw .unsuitable }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unsuitable }
        guard status.st_size <= limit else { throw .tooLong }
        return try Secret(capacity: Int(status.st_size)) { (memory) throws(Fault) -> Int in
            var filled = 0
            while filled < memory.count {
                let start = memory.baseAddress?.advanced(by: filled)
                let got = pread(descriptor, start, memory.count - filled, off_t(filled))
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { throw .system(errno) }
                guard got > 0 else { break }
                filled += got
            }
            return filled
        }
    }
}
