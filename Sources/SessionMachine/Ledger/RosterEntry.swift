public import Vocabulary

/// One app in the roster of the open epoch.
public struct RosterEntry: Hashable, Sendable, Codable {
    public enum State: String, Hashable, Sendable, Codable {
        /// It has not been settled yet.
        case pending
        /// The agent has been, or must be, asked to contain it.
        case containing
        case cleared, contained, owed
        /// Containment failed or was impossible: the device is quarantined.
        case unproven

        /// Settled for good: none of these keeps the next worker waiting.
        public var isSettled: Bool { self == .cleared || self == .contained || self == .owed }
    }

    public var state: State = .pending
    /// It has a file under `apps.d`, so the agent knows what to wipe.
    public var listed: Bool
    public var proven: Bool
    /// Its own hard deadline, CLOCK_MONOTONIC in microseconds; 0 until the barrier begins.
    public var hard: UInt64 = 0
    public var extensions: UInt8 = 0
    /// When its containment counts as failed; 0 while none runs.
    public var containmentEnds: UInt64 = 0
    /// The last acknowledgement outcome, for the receipt.
    public var said: AcknowledgementOutcome?
    /// What the app reported with its acknowledgement, at most 4 KiB of text.
    public var details: String = ""
    /// Microseconds from the begin of the barrier until it was settled.
    public var took: UInt64 = 0
    /// Nil: nothing was contained.
    @WordOrEmpty public var proof: Proof? = nil
    public var explanation = Explanation()
    /// How many apps this row stands for that came and went; nil: it is an app's own.
    public var apps: UInt32?

    /// The participants step waits for it.
    public var isOpen: Bool { state == .pending || state == .containing }

    public init(listed: Bool, proven: Bool) {
        self.listed = listed
        self.proven = proven
    }
}
