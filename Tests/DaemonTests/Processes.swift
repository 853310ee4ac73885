import BusTesting
import Glibc

/// The processes that a process has started and that still are.
func childrenOf(_ pid: Int32) -> [Int32] {
    guard let file = fopen("/proc/\(pid)/task/\(pid)/children", "r") else { return [] }
    fclose(file)
    var result: [Int32] = []
    guard let folder = opendir("/proc/\(pid)/task") else { return [] }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        let text = contents("/proc/\(pid)/task/\(name)/children") ?? ""
        result += text.split(separator: " ").compactMap { Int32($0) }
    }
    return result
}

/// Waits until a process that is not a child of this one has ended.
func waitUntilGone(_ pid: Int32) async {
    while kill(pid, 0) == 0, !isZombie(pid), !Task.isCancelled {
        await Task.yield()
        usleep(2000)
    }
}

private func isZombie(_ pid: Int32) -> Bool {
    contents("/proc/\(pid)/stat")?.split(separator: ")").last?.hasPrefix(" Z") ?? true
}
