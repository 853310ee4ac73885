public import Vocabulary

/// What the journal knows of an app over all epochs.
public struct AppRecord: Hashable, Sendable, Codable {
    /// The epoch through which nothing of any worker is left in the app.
    public var clearedThrough: Epoch
    /// The epoch through which the app must clear before it gets anything; nil: no debt.
    public var owed: Epoch?
    /// The first epoch of the debt, for people.
    public var owedSince: Epoch?
    /// Set when the debt was made by an app that proved itself: a mere claim never pays it.
    public var debtNeedsProof: Bool
    /// A process of the app ended without having cleared: only an instance with this number or a later one pays for it, since
    /// only those were asked to clear after its end. Nil: every instance pays.
    public var paidFrom: Instance?

    public init(
        clearedThrough: Epoch = 0, owed: Epoch? = nil, owedSince: Epoch? = nil, debtNeedsProof: Bool = false
    ) {
        self.clearedThrough = clearedThrough
        self.owed = owed
        self.owedSince = owedSince
        self.debtNeedsProof = debtNeedsProof
    }

    /// Nothing of that turn, or of any before, is left in the app.
    func isClean(through epoch: Epoch) -> Bool { owed == nil && paidFrom == nil && clearedThrough >= epoch }
}
