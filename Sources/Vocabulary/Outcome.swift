/// How a sign-out ended; a worse outcome is greater.
public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// Every app said that it cleared.
    case cleared
    /// An app is gone without a word; it must clear before it gets anything.
    case owed
    /// An app did not answer; it was stopped and its data wiped.
    case contained
    /// Something could not be proven; no worker can sign in.
    case quarantined

    private var rank: Int {
        switch self {
        case .cleared: 0
        case .owed: 1
        case .contained: 2
        case .quarantined: 3
        }
    }

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}
