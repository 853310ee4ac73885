/// Which of the terminal's turn users a turn has: `baton-turn-0`, `baton-turn-1`, and so on.
///
/// Each number is a Unix user with a systemd slice of its own, `baton-turn-N.slice`. Two turns in a row never have the same.
public struct TurnNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// How many users `make install` makes.
    public static let count = 16
    public static let all = (0..<count).map { TurnNumber(index: $0) }

    public let index: Int

    /// Nil if there is no such number.
    public init?(_ index: Int) {
        guard (0..<Self.count).contains(index) else { return nil }
        self.index = index
    }

    private init(index: Int) { self.index = index }

    /// The name of its Unix user.
    public var user: String { "baton-turn-\(index)" }

    /// The name of its systemd slice.
    public var slice: String { "baton-turn-\(index).slice" }

    public var description: String { String(index) }

    public static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}
