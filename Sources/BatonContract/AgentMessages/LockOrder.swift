import DBus

/// The screen that is covered until its worker is back: the options of the agent's `Lock`.
public struct LockOrder: DictionaryMessage, Hashable {
    /// The worker's; empty: it is not known.
    public var name = ""
    /// The worker's, such as de_AT; empty: the device's own language is used.
    public var locale = ""
    /// When the worker is signed out, CLOCK_BOOTTIME in microseconds; 0: never.
    public var until: UInt64 = 0
    /// There is a PIN that unlocks. Without either of the two only a sign-out shows the screen again.
    public var hasPIN = false
    /// The worker can come back on another device, by `Unlock` with its method.
    public var hasPhone = false

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .value("name", \.name, "the worker's"),
        .value("locale", \.locale, "the worker's; empty: not known"),
        .value("until", \.until, "when the worker is signed out, CLOCK_BOOTTIME; 0: never"),
        .value("pin", \.hasPIN, "there is one that unlocks"),
        .value("phone", \.hasPhone, "the worker can come back with another device"),
    ]
}
