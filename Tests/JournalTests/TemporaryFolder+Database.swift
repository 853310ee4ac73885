import FolderTesting

extension TemporaryFolder {
    /// The database and its log, as they lie there now.
    var database: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in ["baton.sqlite", "baton.sqlite-wal"] { files[name] = bytes(of: name) }
        return files
    }

    /// Writes files as the journal does: for their owner only.
    func put(_ files: [String: [UInt8]]) throws {
        for (name, bytes) in files { try write(bytes, to: name, mode: 0o600) }
    }
}
