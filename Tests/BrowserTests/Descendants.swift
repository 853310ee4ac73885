import Glibc

/// The children that a process has just now.
func children(of pid: Int32) -> [Int32] {
    guard let file = fopen("/proc/\(pid)/task/\(pid)/children", "r") else { return [] }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
}

/// A process and all below it; children of other threads than the first are missing, which Chromium does not have.
func tree(of pid: Int32) -> [Int32] { [pid] + children(of: pid).flatMap(tree) }
