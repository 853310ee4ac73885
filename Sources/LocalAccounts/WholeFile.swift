import CLinux
import Checkpoints
import Glibc
import SystemPackage

/// A small text file that is read and replaced as a whole.
///
/// A change is written beside the file, made durable and put in its place. Two changes at once wait for each other.
struct WholeFile {
    typealias Fault = AccountsFile.Fault

    let path: FilePath

    struct Content {
        let text: String
        let ownership: FileOwnership
    }

    /// Nil: there is no such file.
    func read() throws(Fault) -> Content? {
        do throws(Fault) {
            return try inFolder { (directory, name) throws(Fault) in try read(directory, name) }
        } catch .system(_, ENOENT) {
            return nil
        }
    }

    /// - Parameter edit: Makes the new content of the present one, while no other change goes on.
    func change(_ edit: (Content?) throws(Fault) -> Content) throws(Fault) {
        try inFolder { (directory, name) throws(Fault) in
            while flock(directory, LOCK_EX) != 0 {
                guard errno == EINTR else { throw .system(path: resolved().removingLastComponent().string, errno) }
            }
            try write(try edit(try read(directory, name)), directory, name)
        }
    }

    /// Makes the file's own folder if it is missing.
    func makeFolder(mode: UInt32) throws(Fault) {
        let folder = path.removingLastComponent()
        guard folder.withPlatformString({ mkdir($0, mode) }) == 0 || errno == EEXIST else {
            throw .system(path: folder.string, errno)
        }
    }

    /// Makes the folders that are missing, for this user alone.
    func makeFolders() throws(Fault) {
        var folder = FilePath(path.isAbsolute ? "/" : ".")
        for component in path.removingLastComponent().components {
            folder.append(component)
            let made = folder.withPlatformString { mkdir($0, 0o700) }
            // What is there already keeps its mode; what it cannot be told apart from is found when it is opened.
            guard made == 0 || errno == EEXIST || errno == EISDIR || errno == EROFS || errno == EACCES else {
                throw .system(path: folder.string, errno)
            }
        }
    }

    /// - Parameter body: Gets the folder of the file, open, and the file's name in it. A link in the file's place stays: what
    ///   it points to is the file.
    private func inFolder<Value>(_ body: (Int32, String) throws(Fault) -> Value) throws(Fault) -> Value {
        let target = resolved()
        let folder = target.removingLastComponent()
        let directory = (folder.isEmpty ? FilePath(".") : folder).withPlatformString {
            open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard directory >= 0, let name = target.lastComponent?.string else {
            throw .system(path: folder.string, directory < 0 ? errno : EINVAL)
        }
        defer { close(directory) }
        return try body(directory, name)
    }

    private func resolved() -> FilePath {
        guard let real = path.withPlatformString({ realpath($0, nil) }) else { return path }
        defer { free(real) }
        return FilePath(platformString: real)
    }

    private func read(_ directory: Int32, _ name: String) throws(Fault) -> Content? {
        let descriptor = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw .system(path: path.string, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(path: path.string, errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= MarkedYAML.largestText else {
            throw .unusable(path: path.string)
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        var filled = 0
        while filled < bytes.count {
            let got = bytes.withUnsafeMutableBytes { memory in
                Glibc.read(descriptor, memory.baseAddress?.advanced(by: filled), memory.count - filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .system(path: path.string, errno) }
            guard got > 0 else { break }
            filled += got
        }
        guard filled < bytes.count, let text = String(validating: bytes.prefix(filled), as: UTF8.self) else {
            throw .unusable(path: path.string)
        }
        return Content(text: text, ownership: FileOwnership(status))
    }

    private func write(_ content: Content, _ directory: Int32, _ name: String) throws(Fault) {
        let temporary = ".\(name).new"
        // A change that was killed has left it: the lock says that no other writes it now.
        guard unlinkat(directory, temporary, 0) == 0 || errno == ENOENT else {
            throw .system(path: path.string, errno)
        }
        let descriptor = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(path: path.string, errno) }
        let failure = content.ownership.give(to: descriptor) ?? fill(descriptor, with: content.text)
        close(descriptor)
        if let failure {
            unlinkat(directory, temporary, 0)
            throw .system(path: path.string, failure)
        }
        checkpoint("accounts are written, not in place")
        guard renameat(directory, temporary, directory, name) == 0 else {
            let failure = errno
            unlinkat(directory, temporary, 0)
            throw .system(path: path.string, failure)
        }
        checkpoint("accounts are in place, not durable")
        guard fsync(directory) == 0 else { throw .system(path: path.string, errno) }
    }

    private func fill(_ descriptor: Int32, with text: String) -> Int32? {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { memory in
                Glibc.write(descriptor, memory.baseAddress?.advanced(by: written), memory.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            written += count
        }
        return fsync(descriptor) == 0 ? nil : errno
    }
}
