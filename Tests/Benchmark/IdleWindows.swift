import FolderTesting
import TerminalTesting

/// How often a process wakes up while nothing happens.
enum IdleWindows {
    /// How often the threads of a process have woken up.
    struct Count: CustomStringConvertible {
        /// Those that Baton has started, each for one job: the bus, a display, a panel, a browser's pipe.
        var own = 0
        /// All others: the program's first one, which runs the tasks of batond and the agent, and libdispatch's. Once anything
        /// has used those, one of them wakes up each second to look how many of the others work, and those that have nothing
        /// to do end after five seconds.
        var pool = 0

        var description: String { "\(own) and \(pool)" }
    }

    /// Threads that have nothing to do end after some seconds, which is a wake-up of each, and connections to a provider are
    /// closed after a minute; then it must be quiet, for two windows: one alone would miss a timer of fifteen seconds.
    ///
    /// One a second would be libdispatch's: a timer of its own looks after its pool of threads, once anything has used it.
    static func print(of daemon: Program, atMost most: Int) async throws {
        var windows: [Int] = []
        var isQuiet: Bool { windows.suffix(2) == [0, 0] }
        while windows.count < most, !isQuiet {
            let count = try await count(of: daemon.pid, in: .seconds(10))
            windows.append(count.own + count.pool)
        }
        let text = windows.map { "\($0)" }.joined(separator: ", ")
        Swift.print(
            "  wake-ups while idle, in 10 s each: \(text), target 0 twice once all has ended"
                + (isQuiet ? "" : "   over it"))
    }

    static func count(of pid: Int32, in time: Duration) async throws -> Count {
        let before = Program.sleeps(of: pid)
        let earlier = ownThreads(of: pid)
        try await Task.sleep(for: time)
        let after = Program.sleeps(of: pid)
        let own = earlier.union(ownThreads(of: pid))
        var count = Count()
        for thread in Set(before.keys).union(after.keys) {
            let first = before[thread] ?? 0
            // One that has ended woke up for that.
            let wakes = max(0, (after[thread] ?? first + 1) - first)
            if own.contains(thread) { count.own += wakes } else { count.pool += wakes }
        }
        return count
    }

    /// By their names, of which the program's own first thread has another.
    private static func ownThreads(of pid: Int32) -> Set<String> {
        Set(
            names(in: "/proc/\(pid)/task").filter { thread in
                guard let name = contents("/proc/\(pid)/task/\(thread)/comm") else { return false }
                return name.hasPrefix("baton-thread") || name.hasPrefix("baton-bus")
            })
    }
}
