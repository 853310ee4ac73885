import Glibc

extension Journal {
    /// What the journal's files take, in bytes; nil: there is none that can be looked at. It may wait for the disk.
    ///
    /// - Parameter path: The state folder.
    package static func size(in path: String) -> UInt64? {
        let file = StateFolder(path: path).journal
        guard let size = size(of: file) else { return nil }
        return StateFolder.companions.reduce(size) { $0 &+ (Self.size(of: file + $1) ?? 0) }
    }

    private static func size(of file: String) -> UInt64? {
        var status = stat()
        return lstat(file, &status) == 0 ? UInt64(clamping: status.st_size) : nil
    }
}
