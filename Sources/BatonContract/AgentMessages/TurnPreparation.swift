import DBus
import Vocabulary

/// What is made ready for the next turn, such as the start page: the options of `PrepareTurn`.
public struct TurnPreparation: DictionaryMessage, Hashable {
    /// Which turn user it runs as; nil: as the agent's own user.
    public var number: UInt32?
    /// The turn that goes on: nothing of the next one is shown before it has ended. Nil: none does.
    public var beside: Epoch?

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .optional("turn-user", \.number, "it runs as baton-turn-N; absent: as the agent's user"),
        .optional("beside", \.beside, "the epoch that goes on, before whose end nothing of the next is shown"),
    ]
}
