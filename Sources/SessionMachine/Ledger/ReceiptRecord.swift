public import Vocabulary

/// The record of one barrier.
public struct ReceiptRecord: Hashable, Sendable, Codable {
    public struct Participant: Hashable, Sendable, Codable {
        public var app: AppKey
        public var proven: Bool
        public var outcome: ParticipantOutcome
        /// Microseconds from the begin of the barrier.
        public var took: UInt64
        /// Nil: nothing was contained.
        @WordOrEmpty public var proof: Proof?
        public var details: String
        public var explanation: Explanation
    }

    public struct Debt: Hashable, Sendable, Codable {
        public var app: AppKey
        /// The first epoch that it owes.
        public var since: Epoch
    }

    public var epoch: Epoch
    public var holder: TurnAccount
    public var reason: SignOutReason
    /// Unix time in microseconds.
    public var started: Int64
    public var ended: Int64
    /// Microseconds that the barrier took.
    public var took: UInt64
    public var outcome: Outcome
    public var participants: [Participant]
    public var debts: [Debt]
    public var browser: CheckOutcome
    public var browserExplanation: String
    /// Nil in receipts of versions that had no such checks.
    public var browserChecks: [Barrier.Check]?
    public var shared: [Barrier.Check]
    /// Nil in receipts of versions that knew no provider.
    public var provider: ProviderReport?
    public var rejections: [Barrier.Rejection]
    /// Nil in receipts of versions that did not count them.
    public var tokens: TokenTally?
    public var restarts: UInt32
    public var explanation: Explanation
    public var release: Barrier.Release?
}
