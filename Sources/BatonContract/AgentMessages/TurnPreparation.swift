import DBus

/// What is made ready for the next turn, such as the start page: the options of `PrepareTurn`.
public struct TurnPreparation: DictionaryMessage, Hashable {
    /// Which turn user it runs as; nil: as the agent's own user.
    public var number: UInt32?

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .optional("turn-user", \.number, "it runs as baton-turn-N; absent: as the agent's user")
    ]
}
