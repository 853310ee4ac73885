public import Vocabulary

/// The sign-out of one epoch, from `clearing` until it is ready, or while it is quarantined.
public struct Barrier: Hashable, Sendable {
    public struct Check: Hashable, Sendable, Codable {
        public var name: String
        public var outcome: CheckOutcome
        public var explanation: String

        public init(name: String, outcome: CheckOutcome, explanation: String = "") {
            self.name = name
            self.outcome = outcome
            self.explanation = explanation
        }
    }

    /// Acknowledgements that were refused, counted for the receipt.
    public struct Rejection: Hashable, Sendable, Codable {
        public var app: AppKey?
        public var sender: Sender
        public var error: RejectionCause
        public var count: UInt32
    }

    /// How and when a quarantine was left.
    public struct Release: Hashable, Sendable, Codable {
        /// Unix time in microseconds.
        public var when: Int64
        public var by: ReleaseCause
        public var explanation: Explanation

        public init(when: Int64, by: ReleaseCause, explanation: Explanation) {
            self.when = when
            self.by = by
            self.explanation = explanation
        }
    }

    public var epoch: Epoch
    public var reason: SignOutReason
    /// When its turn began; nil where an older version began the barrier.
    public var began: Ledger.Begin?
    /// Why it is not known who took part in the turn. Only an administrator, or another boot, which nothing of a turn outlives,
    /// opens the gate then.
    public var lost: Explanation?
    /// Unix time in microseconds.
    public var startedWall: Int64
    /// CLOCK_MONOTONIC in microseconds, as all deadlines here.
    public var started: UInt64
    public var soft: UInt64
    public var hard: UInt64
    public var absolute: UInt64
    public internal(set) var stage = Stage.participants
    /// It ends in quarantine whatever the participants do, and why.
    public var doomed: Explanation?
    public var browser: CheckOutcome?
    public var browserExplanation = ""
    /// What was looked at for that; nil in barriers of versions that had no such checks.
    public var browserChecks: [Check]?
    /// Whose slice has to be ended; nil: the turn has no user of its own.
    public var user: TurnUser?
    /// What the kernel said of that slice; nil: nothing yet.
    public var turn: Check?
    public var shared: [Check]?
    /// Nil: the provider is being told.
    public var provider: ProviderReport?
    /// Until when its answer is waited for.
    public var providerEnds: UInt64?
    public var restarts: UInt32 = 0
    public var rejections: [Rejection] = []
    /// The tokens of its turn; nil in barriers of versions that did not count them.
    public var tokens: TokenTally?
    /// The longest that the journal kept all apps waiting, in microseconds; nil: not at all.
    public var slowestWrite: UInt64?
    /// The mode that the device takes when this ends well.
    public var nextMode: Mode?

    init(epoch: Epoch, reason: SignOutReason, at now: Moment, policy: Policy) {
        self.epoch = epoch
        self.reason = reason
        startedWall = now.wall
        started = now.monotonic
        soft = now.monotonic.adding(policy.soft)
        hard = now.monotonic.adding(policy.hard)
        absolute = now.monotonic.adding(policy.absolute)
        if let wait = policy.providerWait {
            providerEnds = now.monotonic.adding(wait)
        } else {
            provider = ProviderReport(.none)
        }
    }
}
