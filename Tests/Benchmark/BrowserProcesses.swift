import FolderTesting
import Glibc

/// One browser of an agent: its first process and all below it.
struct BrowserProcesses: Sendable {
    static let executable = "/usr/lib/chromium/chromium"

    let pids: [Int32]

    /// The browsers below an agent, the oldest first: that is the one in front, and the one that stands by comes after it.
    static func all(of agent: Int32) -> [BrowserProcesses] {
        var children: [Int32: [Int32]] = [:]
        for pid in names(in: "/proc").compactMap({ Int32($0) }) {
            if let parent = parent(of: pid) { children[parent, default: []].append(pid) }
        }
        func tree(_ root: Int32) -> [Int32] { [root] + (children[root] ?? []).flatMap(tree) }
        return tree(agent).filter { pid in
            let command = contents("/proc/\(pid)/cmdline") ?? ""
            return command.hasPrefix(executable) && !command.contains("--type=")
        }.sorted { started($0) < started($1) }.map { BrowserProcesses(pids: tree($0)) }
    }

    func stop() { for pid in pids { kill(pid, SIGSTOP) } }

    /// Proportional set size in KiB, and how many processes keep theirs to themselves.
    static func memory(of pids: [Int32]) -> (kibibytes: Int, unknown: Int) {
        let sizes = pids.map { pid -> Int? in
            let lines = contents("/proc/\(pid)/smaps_rollup")?.split(separator: "\n")
            let line = lines?.first { $0.hasPrefix("Pss:") }
            return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
        }
        return (sizes.compactMap(\.self).reduce(0, +), sizes.count { $0 == nil })
    }

    /// The words after the name, which may itself contain anything.
    private static func words(_ pid: Int32) -> [Substring] {
        contents("/proc/\(pid)/stat")?.split(separator: ")").last?.split(separator: " ") ?? []
    }

    private static func parent(of pid: Int32) -> Int32? { words(pid).dropFirst().first.flatMap { Int32($0) } }

    private static func started(_ pid: Int32) -> UInt64 { words(pid).dropFirst(19).first.flatMap { UInt64($0) } ?? 0 }
}
