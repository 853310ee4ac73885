package import Vocabulary

/// What happened since this batond started.
package struct TurnTally: Hashable, Sendable {
    package private(set) var turns: UInt64 = 0
    private var signOuts: [Outcome: UInt64] = [:]
    /// Around the deadlines as they are set by default, and up to the longest that can be set; a slow disk comes after them.
    package private(set) var barrier = Histogram(
        bounds: [100, 250, 500, 1000, 1500, 2500, 5000, 7500, 10_000, 15_000, 20_000].map { $0 * 1000 })

    package init() {}

    package mutating func turnBegan() { turns &+= 1 }

    /// - Parameter took: In microseconds.
    package mutating func signedOut(_ outcome: Outcome, took: UInt64) {
        signOuts[outcome, default: 0] &+= 1
        barrier.observe(took)
    }

    package subscript(_ outcome: Outcome) -> UInt64 { signOuts[outcome] ?? 0 }
}
