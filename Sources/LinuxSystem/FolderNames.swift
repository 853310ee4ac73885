import Glibc

/// What lies in a folder, by its path.
package enum FolderNames {
    package struct Unreadable: Error {
        /// An errno.
        package let number: CInt
    }

    /// All names, also `.` and `..`, in the order in which the system gives them; none where there is no such folder.
    package static func all(in path: String) throws(Unreadable) -> [String] {
        guard let directory = opendir(path) else {
            if errno == ENOENT { return [] }
            throw Unreadable(number: errno)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }
}
