public import DBus

/// The options of `Register` of `org.baton.Device1.Participants`.
public struct RegistrationOptions: DictionaryMessage, Hashable {
    /// Sealed memory that the agent handed to the app that it started; nil: another one started it.
    public var token: OwnedDescriptor?
    /// batond's word about the last turn that this process was in, as `HolderAccount` brings it; nil: none.
    public var turn: String?

    public init() {}

    public init(token: OwnedDescriptor?, turn: String?) {
        self.token = token
        self.turn = turn
    }

    public static let refusesUnknownKeys = true

    public static let fields: [MessageField<Self>] = [
        .descriptor(
            "token", \.token,
            "for an app that the agent started: the memfd that it was handed, sealed against write, grow and shrink"),
        .optional("turn", \.turn, "the last that came with an account and that this process still has"),
    ]
}
