import FolderTesting
import Glibc

/// What `/proc` says, read independently of the code under test.
enum Processes {
    static func inNamespace(of pid: Int32) -> [Int32] {
        guard let own = link("/proc/\(pid)/ns/pid") else { return [] }
        return names(in: "/proc").compactMap { Int32($0) }.filter { link("/proc/\($0)/ns/pid") == own }
    }

    /// No such process, or a zombie.
    static func isGone(_ pid: Int32) -> Bool {
        guard let stat = contents("/proc/\(pid)/stat"), let end = stat.lastIndex(of: ")") else { return true }
        let state = stat[end...].split(separator: " ").dropFirst().first
        return state == "Z" || state == "X"
    }

    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &buffer, 255)
        return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
