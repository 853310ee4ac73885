import FolderTesting
import Glibc

/// The processes that a process has started and that still are.
func childrenOf(_ pid: Int32) -> [Int32] {
    names(in: "/proc/\(pid)/task").flatMap { name in
        let text = contents("/proc/\(pid)/task/\(name)/children") ?? ""
        return text.split(separator: " ").compactMap { Int32($0) }
    }
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
