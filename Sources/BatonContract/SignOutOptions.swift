import DBus
public import Vocabulary

/// The options of `SignOut`.
public struct SignOutOptions: DictionaryMessage, Hashable {
    /// The turn to end; nil: the one that runs.
    public var epoch: Epoch?
    public var reason = SignOutReason.user
    /// The device has no previous account afterwards.
    public var wipesAccount = false

    public init() {}

    public init(epoch: Epoch?, reason: SignOutReason, wipesAccount: Bool) {
        self.epoch = epoch
        self.reason = reason
        self.wipesAccount = wipesAccount
    }

    /// A misspelt `epoch` would sign out another worker.
    public static let refusesUnknownKeys = true

    public static let fields: [MessageField<Self>] = [
        .optional("epoch", \.epoch, "absent: the present one"),
        .wordOrDefault(
            "reason", \.reason,
            "user, the default; from the agent also browser, idle, sleep, shutdown; from administrators also administrator"
        ),
        .value(
            "wipe-account", \.wipesAccount,
            "true: afterwards PreviousAccount is empty", leftOutIf: { !$0.wipesAccount }),
    ]
}
