import TerminalTesting

/// How often batond wakes up while nothing happens.
enum IdleWindows {
    /// Threads that have nothing to do end after some seconds, which is a wake-up of each, and connections to a provider are
    /// closed after a minute; then it must be quiet, for two windows: one alone would miss a timer of fifteen seconds.
    ///
    /// One a second would be libdispatch's: a timer of its own looks after its pool of threads, once anything has used it.
    static func print(of daemon: Program, atMost most: Int) async throws {
        var windows: [Int] = []
        var isQuiet: Bool { windows.suffix(2) == [0, 0] }
        while windows.count < most, !isQuiet { windows.append(try await count(of: daemon.pid, in: .seconds(10))) }
        let text = windows.map { "\($0)" }.joined(separator: ", ")
        Swift.print(
            "  wake-ups while idle, in 10 s each: \(text), target 0 twice once all has ended"
                + (isQuiet ? "" : "   over it"))
    }

    /// How often the threads of a process wake up.
    static func count(of pid: Int32, in time: Duration) async throws -> Int {
        let before = Program.sleeps(of: pid)
        try await Task.sleep(for: time)
        let after = Program.sleeps(of: pid)
        return before.reduce(0) { $0 + max(0, (after[$1.key] ?? $1.value + 1) - $1.value) }
    }
}
