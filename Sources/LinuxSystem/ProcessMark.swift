/// A pid means one process for good with its start time, in clock ticks since boot.
package struct ProcessMark: Sendable, Equatable {
    package var pid: Int32
    package var started: UInt64

    package init(pid: Int32, started: UInt64) {
        self.pid = pid
        self.started = started
    }

    package init(_ process: ProcessHandle) {
        self.init(pid: process.pid, started: process.started)
    }

    /// The process that has this pid now; nil: none has it.
    package init?(current pid: Int32) {
        guard let started = ProcessRecord(pid: pid)?.started else { return nil }
        self.init(pid: pid, started: started)
    }

    /// The process, pinned, if it still lives.
    package var process: ProcessHandle? {
        ProcessHandle(pid: pid).flatMap { $0.started == started && !$0.isGone ? $0 : nil }
    }
}
