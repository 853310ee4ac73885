public import LinuxSystem
public import Vocabulary

/// A running program together with everything that it started, shut in so that its end can be proven.
public protocol Confinement: Sendable {
    var name: String { get }
    /// What its end will prove.
    var proof: Proof { get }
    /// The process to kill: in a namespace its first one, as seen from outside.
    var process: ProcessHandle { get }

    /// Processes as seen from outside, from which all others of it descend; among them the proxy that speaks for it on the bus.
    var roots: Set<Int32> { get }

    /// Whether it lies in the slice of a turn: what `end` does not see ended there, batond ends with the turn, and says so.
    var endsWithTurn: Bool { get }

    /// Returns when all of it is gone, for whatever reason, or when cancelled.
    func untilGone() async

    /// Kills all of it and waits until it is gone; nil, or why that is not proven. Safe to call more than once.
    func end(limit: TimeLimit) async -> String?

    /// What the program ended with if it ends within the limit: its exit code, or 128 + the signal; nil: it has not, or that is not seen.
    func status(within limit: TimeLimit) async -> Int32?
}

extension Confinement {
    public var roots: Set<Int32> { [process.pid] }
    public var endsWithTurn: Bool { false }
    public func status(within limit: TimeLimit) async -> Int32? { nil }

    /// Whether a process belongs to it, such as the one that the bus names as a participant's.
    public func holds(_ pid: Int32) -> Bool {
        let roots = roots
        return ProcessRecord.line(of: pid).contains(where: roots.contains)
    }
}
