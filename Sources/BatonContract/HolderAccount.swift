import DBus

/// The account that holds the device, as apps are told of it: in `SignedIn`, in `GetCurrentAccount` and by `Register`.
public struct HolderAccount: OptionalMessage, Hashable {
    public var account: Account
    /// batond's word that the turn has begun, which the app shows when it registers again. It means nothing to the app
    /// itself. Nil: the journal has no such turn.
    public var turn: String?

    public init() { self.init(Account()) }

    public init(_ account: Account, turn: String? = nil) {
        self.account = account
        self.turn = turn
    }

    public var isThere: Bool { account.isThere }

    public static let fields: [MessageField<Self>] =
        MessageField.fields(of: \.account) + [.optional("turn", \.turn, "for Register; to apps it means nothing")]
}
