import Glibc

/// The folders in which an app keeps a worker's data: after a clearing no file may be left in them.
struct DataFolders: Sendable {
    let paths: [String]

    /// The first file that is there, and how many there are; links count as files and are not followed.
    func files() -> (first: String, count: Int)? {
        var waiting = paths
        var first: String?
        var count = 0
        while let folder = waiting.popLast() {
            guard let stream = opendir(folder) else { continue }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name == "." || name == ".." { continue }
                let path = folder + "/" + name
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    waiting.append(path)
                } else {
                    first = first ?? path
                    count += 1
                }
            }
        }
        return first.map { ($0, count) }
    }
}
