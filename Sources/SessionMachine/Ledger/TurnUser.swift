/// The Unix user of a worker's turn. What it runs is in a systemd slice of its own, whose end ends the turn.
public struct TurnUser: Hashable, Sendable, Codable {
    /// Which of the terminal's turn users it is: 3 for `baton-turn-3`.
    public var number: UInt8
    /// The number of the Unix user.
    public var uid: UInt32

    public init(number: UInt8, uid: UInt32) {
        self.number = number
        self.uid = uid
    }
}
