import Glibc

/// The files of the state folder, and the few steps with them that must be durable.
package struct StateFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    var journal: String { path + "/baton.sqlite" }
    /// Where a new journal is made, so that `baton.sqlite` is never half of one.
    var unfinished: String { path + "/baton.sqlite.new" }
    var epoch: String { path + "/epoch" }
    var deviceID: String { path + "/device-id" }
    /// What batond knows its own word about a turn by.
    var turnKey: String { path + "/turn-key" }
    var lock: String { path + "/lock" }

    /// What SQLite may keep beside a database.
    static let companions = ["-wal", "-shm", "-journal"]

    /// Makes the folder and those above it, for its owner alone.
    package func make() throws(JournalFault) {
        var prefix = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            prefix += (prefix.isEmpty || prefix.hasSuffix("/") ? "" : "/") + part
            guard mkdir(prefix, 0o700) != 0, errno != EEXIST, errno != EISDIR, errno != EROFS else { continue }
            if errno == EACCES, Self.exists(prefix) { continue }
            throw JournalFault(.noFolder, prefix, "the state folder cannot be made: \(Self.reason())")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw JournalFault(.noFolder, path, "the state folder cannot be made: it is not a folder")
        }
    }

    /// Files in it could be made, as SQLite does beside the journal.
    func requireWritable() throws(JournalFault) {
        guard access(path, W_OK | X_OK) == 0 else {
            throw JournalFault(.inaccessible, path, "it cannot be written: \(Self.reason())")
        }
    }

    /// The folder may be read or written by others; the files are not, but their names can be exchanged.
    var isOpenToOthers: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o022 != 0
    }

    static func exists(_ file: String) -> Bool {
        var status = stat()
        return lstat(file, &status) == 0
    }

    /// At most `limit` bytes of a regular file; nil when there is none.
    static func read(_ file: String, limit: Int) throws(JournalFault) -> [UInt8]? {
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw JournalFault(.foreign, file, "it is a symbolic link") }
            throw JournalFault(.inaccessible, file, "it cannot be opened: \(reason())")
        }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw JournalFault(.foreign, file, "it is not a regular file")
        }
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), limit - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw JournalFault(errno == EIO ? .damaged : .inaccessible, file, "it cannot be read: \(reason())")
            }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }

    /// Puts the text in the place of the file, so that after a power cut there is the old text or the new one.
    ///
    /// - Parameter isDurable: Otherwise that holds for a kill alone.
    func replace(_ file: String, with text: String, isDurable: Bool = true) throws(JournalFault) {
        let temporary = file + ".new"
        let descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw JournalFault(.notWritten, temporary, "it cannot be made: \(Self.reason())")
        }
        adopt(descriptor)
        var bytes = Array(text.utf8)[...]
        var failure: String?
        while failure == nil, !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                failure = Self.reason()
            }
        }
        if failure == nil, isDurable, fsync(descriptor) != 0 { failure = Self.reason() }
        Glibc.close(descriptor)
        if failure == nil, rename(temporary, file) != 0 { failure = Self.reason() }
        if let failure {
            unlink(temporary)
            throw JournalFault(.notWritten, file, "it cannot be written: \(failure)")
        }
        if isDurable { try synchronize() }
    }

    /// Makes what was created, renamed and removed in the folder durable.
    func synchronize() throws(JournalFault) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw JournalFault(.notWritten, path, "the folder cannot be opened: \(Self.reason())")
        }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw JournalFault(.notWritten, path, "the folder cannot be made durable: \(Self.reason())")
        }
    }

    /// A file that root makes here (`reset`) belongs to whom the folder belongs to, or the supervisor could not use it.
    func adopt(_ descriptor: CInt) {
        var status = stat()
        guard geteuid() == 0, stat(path, &status) == 0 else { return }
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }

    /// Names the current `errno` for people.
    static func reason() -> String { String(cString: strerror(errno)) }

    /// 128 random bits in hexadecimal.
    static func randomID() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in String(Int.random(in: 0..<16, using: &generator), radix: 16) }.joined()
    }

    /// The one that a file holds; nil: it holds none.
    private static func randomID(in bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first ?? ""
        return text.utf8.count == 32 && text.allSatisfy(\.isHexDigit) ? String(text) : nil
    }

    /// The device's id, where there is one.
    package var knownDeviceID: String? {
        let bytes = (try? Self.read(deviceID, limit: 64)) ?? nil
        return bytes.flatMap {
            String(decoding: $0, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init)
        }
    }

    /// The device's id, which outlives the journal; made at the first start.
    package func readOrMakeDeviceID(_ notices: inout [String]) throws(JournalFault) -> String {
        if let bytes = try Self.read(deviceID, limit: 64) {
            if let id = Self.randomID(in: bytes) { return id }
            notices.append("\(deviceID): not a device id; the device has a new one")
        }
        let id = Self.randomID()
        try replace(deviceID, with: id + "\n")
        return id
    }

    /// The key of `TurnSeal`, which outlives the journal; made at the first start. Empty: there is none and none can be made,
    /// which is no reason to quarantine.
    func readOrMakeTurnKey() -> String {
        let bytes = (try? Self.read(turnKey, limit: 64)) ?? nil
        if let key = bytes.flatMap(Self.randomID(in:)) { return key }
        let key = Self.randomID()
        return (try? replace(turnKey, with: key + "\n")) == nil ? "" : key
    }
}
