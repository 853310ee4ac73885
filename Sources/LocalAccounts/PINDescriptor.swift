internal import CLinux
internal import Glibc

/// How a PIN travels over the bus: as a descriptor, so that no message and no message log holds it.
public enum PINDescriptor {
    /// The most that is read, in bytes, a trailing newline included.
    public static let limit = 256
    /// How long a pipe may take, in milliseconds.
    public static let patience = 2000

    /// Why a descriptor gave no PIN; the text is fit for the caller.
    public enum Fault: Error, Equatable, CustomStringConvertible {
        /// Neither a pipe's reading end nor a memory file with the seals against write, grow and shrink.
        case unsuitable
        /// More than `limit` bytes.
        case tooLong
        /// The pipe's writing end stayed open for longer than `patience`.
        case timedOut
        /// The system refused, with this error number.
        case system(Int32)

        public var description: String {
            switch self {
            case .unsuitable: "the pin must be a pipe, or a memfd sealed against write, grow and shrink"
            case .tooLong: "the pin has more than \(limit) bytes"
            case .timedOut: "the pin did not end within \(patience) ms; close the writing end of the pipe"
            case .system(let number): "the pin could not be read (error \(number))"
            }
        }
    }

    /// Reads the PIN from a descriptor that somebody else made; one trailing newline is dropped.
    ///
    /// The descriptor stays open and belongs to the caller, also when the task is cancelled, which does not shorten
    /// the wait: it ends within `patience`. The sender's flags, other readers and later writes cannot block it.
    public static func read(_ descriptor: Int32, patience: Int = patience) async throws(Fault) -> Secret {
        let result: Result<Secret, Fault> = await OwnThread.run {
            do throws(Fault) {
                return .success(try readBlocking(descriptor, patience: patience))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Puts a PIN into a memory file that nobody can change any more; the caller closes the descriptor.
    public static func sealed(_ pin: Secret) throws(Fault) -> Int32 {
        let file = baton_memfd_create("pin")
        guard file >= 0 else { throw .system(errno) }
        let failure: Int32? = pin.withUnsafeBytes { bytes in
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

    private static func readBlocking(_ descriptor: Int32, patience: Int) throws(Fault) -> Secret {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFIFO:
            return try PipeReader(descriptor, limit: limit).read(milliseconds: patience).withoutNewline()
        case S_IFREG:
            let needed = Int32(BATON_SEAL_WRITE | BATON_SEAL_GROW | BATON_SEAL_SHRINK)
            let seals = baton_get_seals(descriptor)
            guard seals >= 0, seals & needed == needed else { throw .unsuitable }
            guard status.st_size <= limit else { throw .tooLong }
            return try readMemoryFile(descriptor, count: Int(status.st_size)).withoutNewline()
        default:
            throw .unsuitable
        }
    }

    private static func readMemoryFile(_ descriptor: Int32, count: Int) throws(Fault) -> Secret {
        try Secret(capacity: count) { (memory) throws(Fault) -> Int in
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

extension Secret {
    /// The same bytes without one newline at the end.
    fileprivate func withoutNewline() -> Secret {
        withUnsafeBytes { bytes in
            guard bytes.last == UInt8(ascii: "\n") else { return self }
            return Secret(capacity: bytes.count - 1) { memory in
                memory.copyBytes(from: bytes.dropLast())
                return memory.count
            }
        }
    }
}
