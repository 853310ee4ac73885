import Glibc

/// A state folder for one test, removed with everything in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/baton-journal-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap(mkdtemp).map { String(cString: $0) } ?? "/tmp/baton-journal-failed"
        }
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }

    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func has(_ name: String) -> Bool { names.contains(name) }

    func read(_ name: String) -> [UInt8]? {
        let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return all }
            all += chunk.prefix(count)
        }
    }

    func text(_ name: String) -> String { String(decoding: read(name) ?? [], as: UTF8.self) }

    func write(_ name: String, _ bytes: [UInt8]) {
        let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func write(_ name: String, _ text: String) { write(name, Array(text.utf8)) }

    /// The database and its log, as they lie there now.
    var database: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in ["baton.sqlite", "baton.sqlite-wal"] { files[name] = read(name) }
        return files
    }

    func put(_ files: [String: [UInt8]]) {
        for (name, bytes) in files { write(name, bytes) }
    }

    /// Permissions, without the kind of file.
    func mode(_ name: String) -> mode_t {
        var status = stat()
        return stat(path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : 0
    }
}
