public import Vocabulary

/// What a process does to the bus rather than with it, as the supervisor counts it.
public struct Misuse: Hashable, Sendable {
    public var kind: MisuseKind
    /// One of its connections; nil: those that have left, and it is no longer known whose they were.
    public var sender: Sender?
    /// 0 where it is not known.
    public var pid: Int32
    /// How many there were since this was told the last time.
    public var count: UInt32

    public init(_ kind: MisuseKind, by sender: Sender?, pid: Int32, count: UInt32) {
        self.kind = kind
        self.sender = sender
        self.pid = pid
        self.count = count
    }
}
