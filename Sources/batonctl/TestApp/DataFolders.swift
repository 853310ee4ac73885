import Glibc
import LinuxSystem

/// The folders in which an app keeps a worker's data: after a clearing no file may be left in them.
struct DataFolders: Sendable {
    let paths: [String]

    /// The first file that is there, and how many there are; links count as files and are not followed.
    func files() -> (first: String, count: Int)? {
        let all = walk().files
        return all.first.map { ($0.path, all.count) }
    }

    /// All that is in them, the folders themselves too.
    func walk() -> (folders: [String], files: [(path: String, size: Int64)]) {
        var waiting = paths
        var folders: [String] = []
        var files: [(path: String, size: Int64)] = []
        while let folder = waiting.popLast() {
            guard let stream = opendir(folder) else { continue }
            defer { closedir(stream) }
            folders.append(folder)
            while let entry = readdir(stream) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name == "." || name == ".." { continue }
                let path = folder + "/" + name
                guard let facts = FileFacts(path: path) else { continue }
                if facts.isDirectory {
                    waiting.append(path)
                } else {
                    files.append((path, Int64(clamping: facts.size)))
                }
            }
        }
        return (folders, files)
    }
}
