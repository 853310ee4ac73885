import Glibc
import LinuxSystem

/// Who was let be for their answer about a sign-out: the one way out of a turn, which nothing that they start may take.
///
/// In a file of the runtime folder as well, so that an agent that was killed finds them again.
struct WaitingProcesses: Sendable {
    /// When the turn began.
    let since: TurnStart
    var spared: Set<Int32>
    var processes: [ProcessHandle]
    /// What started later is not theirs, in clock ticks since boot; nil: they have not been ended yet.
    var until: UInt64?

    init(since: TurnStart, spared: Set<Int32>, processes: [ProcessHandle]) {
        self.since = since
        self.spared = spared
        self.processes = processes
    }

    /// With those that still wait from before, whose turn began sooner.
    func joined(with earlier: WaitingProcesses?) -> WaitingProcesses {
        guard let earlier else { return self }
        return WaitingProcesses(
            since: earlier.since.ticks < since.ticks ? earlier.since : since, spared: spared.union(earlier.spared),
            processes: earlier.processes.filter { !$0.isGone } + processes)
    }

    func isSame(as other: WaitingProcesses) -> Bool {
        since == other.since && processes.elementsEqual(other.processes, by: ===)
    }

    // MARK: The note

    /// A process that was spared counts anew for another agent, which has another supervisor.
    init?(text: some StringProtocol) {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        guard let head = lines.first, head.count == 3, let wall = Int64(head[0]), let ticks = UInt64(head[1]),
            let last = UInt64(head[2])
        else { return nil }
        until = last == 0 ? nil : last
        since = TurnStart(wall: wall, ticks: ticks)
        spared = []
        processes = lines.dropFirst().compactMap { words in
            guard words.count == 2, let pid = Int32(words[0]), let process = ProcessHandle(pid: pid),
                process.started == UInt64(words[1]), process.user == getuid()
            else { return nil }
            return process
        }
    }

    var text: String {
        "\(since.wall) \(since.ticks) \(until ?? 0)\n" + processes.map { "\($0.pid) \($0.started)\n" }.joined()
    }
}
