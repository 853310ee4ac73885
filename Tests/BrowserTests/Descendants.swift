import FolderTesting

/// The children that a process has just now.
func children(of pid: Int32) -> [Int32] {
    (contents("/proc/\(pid)/task/\(pid)/children") ?? "").split(separator: " ").compactMap { Int32($0) }
}

/// A process and all below it; children of other threads than the first are missing, which Chromium does not have.
func tree(of pid: Int32) -> [Int32] { [pid] + children(of: pid).flatMap(tree) }
