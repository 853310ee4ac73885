internal import Glibc
public import SystemPackage

/// The settings file on the disk, whose accounts `batonctl account` changes.
///
/// A change is whole or not there: it is written beside the file, made durable and put in its place. Owner and mode
/// stay. Two changes at once wait for each other.
public struct AccountsFile: Sendable {
    private let path: FilePath
    private let newMode: UInt32
    private let makesFolders: Bool

    /// Why nothing was changed.
    public enum Fault: Error, Equatable, CustomStringConvertible {
        case text(path: String, AccountsText.Fault)
        /// The system refused to read or write, with this error number.
        case system(path: String, Int32)
        /// The file is not a file, is too large, or not UTF-8.
        case unusable(path: String)

        public var description: String {
            switch self {
            case .text(let path, let fault): "\(path): \(fault)"
            case .system(let path, let number): "\(path): \(Errno(rawValue: number))"
            case .unusable(let path): "\(path): not a text file of at most 1 MiB"
            }
        }
    }

    /// `newMode` is for a file that does not exist yet. With `makesFolders`, adding to such a file also makes the folders
    /// above it, for this user alone: right for a place that nobody had to spell.
    public init(_ path: FilePath, newMode: UInt32 = 0o640, makesFolders: Bool = false) {
        self.path = path
        self.newMode = newMode
        self.makesFolders = makesFolders
    }

    /// Adds an account; makes the file when there is none.
    public func add(_ account: LocalAccount) throws(Fault) {
        if makesFolders { try makeFolders() }
        try change { (text) throws(AccountsText.Fault) in try AccountsText.adding(account, to: text) }
    }

    public func remove(_ username: String) throws(Fault) {
        try change { (text) throws(AccountsText.Fault) in try AccountsText.removing(username, from: text) }
    }

    public func setPIN(_ username: String, _ hash: PINHash) throws(Fault) {
        try change { (text) throws(AccountsText.Fault) in try AccountsText.setting(hash, of: username, in: text) }
    }

    /// The accounts in the file's order; none where there is no file.
    public func list() throws(Fault) -> [AccountsText.Listed] {
        guard let text = try text() else { return [] }
        do throws(AccountsText.Fault) {
            return try AccountsText.list(text)
        } catch {
            throw .text(path: path.string, error)
        }
    }

    /// How many bytes a new PIN has at least, as the file says. Where it says nothing that can be used, it is
    /// `PINHash.shortestPIN`.
    ///
    /// - Parameter mustExist: False: without the file it is `PINHash.shortestPIN`, too.
    public func leastPINLength(mustExist: Bool = false) throws(Fault) -> Int {
        let text = try text()
        if text == nil, mustExist { throw .system(path: path.string, ENOENT) }
        guard let text, let tree = try? MarkedYAML.parse(text),
            let least = tree.pair("identity")?.value.pair("least-pin-length")?.value.text.flatMap({ Int($0) })
        else { return PINHash.shortestPIN }
        return least
    }

    /// Nil: there is no such file.
    private func text() throws(Fault) -> String? {
        do throws(Fault) {
            return try inFolder { (directory, name) throws(Fault) in try read(directory, name)?.text }
        } catch .system(_, ENOENT) {
            return nil
        }
    }

    private func change(_ edit: (String) throws(AccountsText.Fault) -> String) throws(Fault) {
        try inFolder { (directory, name) throws(Fault) in
            while flock(directory, LOCK_EX) != 0 {
                guard errno == EINTR else { throw .system(path: resolved().removingLastComponent().string, errno) }
            }
            let current = try read(directory, name)
            let text: String
            do throws(AccountsText.Fault) {
                text = try edit(current?.text ?? "")
            } catch {
                throw .text(path: path.string, error)
            }
            try write(text, directory, name, like: current?.status)
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

    private func makeFolders() throws(Fault) {
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

    private func resolved() -> FilePath {
        guard let real = path.withPlatformString({ realpath($0, nil) }) else { return path }
        defer { free(real) }
        return FilePath(platformString: real)
    }

    private func read(_ directory: Int32, _ name: String) throws(Fault) -> (text: String, status: stat)? {
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
        return (text, status)
    }

    private func write(_ text: String, _ directory: Int32, _ name: String, like status: stat?) throws(Fault) {
        let temporary = ".\(name).\(UInt64.random(in: .min ... .max))"
        let descriptor = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(path: path.string, errno) }
        let failure = fill(descriptor, with: text, like: status)
        close(descriptor)
        if let failure {
            unlinkat(directory, temporary, 0)
            throw .system(path: path.string, failure)
        }
        guard renameat(directory, temporary, directory, name) == 0 else {
            let failure = errno
            unlinkat(directory, temporary, 0)
            throw .system(path: path.string, failure)
        }
        guard fsync(directory) == 0 else { throw .system(path: path.string, errno) }
    }

    private func fill(_ descriptor: Int32, with text: String, like status: stat?) -> Int32? {
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { return errno }
        if let status, own.st_uid != status.st_uid || own.st_gid != status.st_gid {
            // Without the right to give it back to its owner the file must not change hands.
            guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else { return errno }
        }
        guard fchmod(descriptor, (status?.st_mode ?? newMode) & 0o7777) == 0 else { return errno }
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
