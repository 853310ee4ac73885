public import Vocabulary

/// One app on one connection, until it leaves and its process is known to be gone or paid for.
public struct Registration: Hashable, Sendable, Codable {
    /// The acknowledgement that counts: the first for an epoch.
    public struct Word: Hashable, Sendable, Codable {
        public var epoch: Epoch
        public var outcome: AcknowledgementOutcome
    }

    public var app: AppKey
    public var sender: Sender
    public var pid: Int32
    /// It showed the token that the agent handed it at launch.
    public var proven: Bool
    /// The epoch that it must clear before it gets an account or a token; 0: it is clean.
    public var mustClear: Epoch
    /// The `clear_through` that its registration was answered with, so that its answer to that stays valid.
    public var told: Epoch
    public var word: Word?
    /// It is on the bus. When not, its process may still be alive and hold something in memory.
    public var connected: Bool
    /// The agent saw its process end; the bus may tell later that the connection left.
    public var processGone = false

    public init(
        app: AppKey, sender: Sender, pid: Int32, proven: Bool = false, mustClear: Epoch = 0, told: Epoch = 0,
        word: Word? = nil, connected: Bool = true
    ) {
        self.app = app
        self.sender = sender
        self.pid = pid
        self.proven = proven
        self.mustClear = mustClear
        self.told = told
        self.word = word
        self.connected = connected
    }

    /// It acknowledged for this epoch that it holds nothing of it any more.
    func hasCleared(_ epoch: Epoch) -> Bool {
        guard let word else { return false }
        return word.epoch == epoch && word.outcome != .failed
    }
}
