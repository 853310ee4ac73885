import Glibc
import LinuxSystem
import Wiping

/// A folder outside of what a sandbox covers, removed with the test.
final class Folder: Sendable {
    let path: String

    /// In the user's home, which a sandbox does not show.
    init?() {
        let home = getenv("HOME").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(home)/folder-XXXXXX".utf8CString)
        guard let name = mkdtemp(&template) else { return nil }
        path = String(cString: name)
    }

    deinit {
        _ = Wipe(root: path, homes: []).perform(limit: TimeLimit(.seconds(20)))
        rmdir(path)
    }

    /// A line.
    func write(_ name: String, _ text: String) {
        guard let file = fopen("\(path)/\(name)", "w") else { return }
        fputs(text + "\n", file)
        fclose(file)
    }

    func read(_ name: String) -> String? { Self.read("\(path)/\(name)") }

    static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = Glibc.read(file, &buffer, buffer.count), count > 0 { result += buffer.prefix(count) }
        return String(decoding: result, as: UTF8.self)
    }

    static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var result: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { result.append(name) }
        }
        return result.sorted()
    }
}

/// What `/proc` says, read independently of the code under test.
enum Processes {
    static func inNamespace(of pid: Int32) -> [Int32] {
        guard let own = link("/proc/\(pid)/ns/pid") else { return [] }
        return Folder.names(in: "/proc").compactMap { Int32($0) }.filter { link("/proc/\($0)/ns/pid") == own }
    }

    /// No such process, or a zombie.
    static func isGone(_ pid: Int32) -> Bool {
        guard let stat = Folder.read("/proc/\(pid)/stat"), let end = stat.lastIndex(of: ")") else { return true }
        let state = stat[end...].split(separator: " ").dropFirst().first
        return state == "Z" || state == "X"
    }

    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &buffer, 255)
        return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
