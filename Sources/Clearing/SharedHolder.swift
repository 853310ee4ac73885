public import LinuxSystem
public import Vocabulary

/// Something that all programs of the session share and that may keep what a worker left: a small cleaner of its own.
public protocol SharedHolder: Sendable {
    /// Its name in receipts: `clipboard`, `keyring`.
    var name: String { get }

    /// Why it cannot be cleared or looked at on this machine, and what to do; nil when it can. Asked before the first worker.
    func warning() async -> String?

    /// Clears what the turn left, then looks again.
    func clear(_ turn: TurnStart, limit: TimeLimit) async -> HolderReport
}

/// What clearing one holder came to.
public struct HolderReport: Sendable, Equatable {
    public var name: String
    /// `unchecked`: there is no such thing on this machine, or the settings leave it alone.
    public var outcome: CheckOutcome
    /// Short plain text; never what a worker wrote.
    public var explanation: String

    public init(_ name: String, _ outcome: CheckOutcome, _ explanation: String = "") {
        self.name = name
        self.outcome = outcome
        self.explanation = explanation
    }
}
