public import DBus

/// The options of `SignIn` where accounts are local.
public struct LocalSignIn: DictionaryMessage, Hashable {
    /// Nil: batond refuses it, since it has to know the worker.
    public var username: String?
    /// Nil: batond refuses it.
    public var pin: OwnedDescriptor?

    public init() {}

    public init(username: String, pin: OwnedDescriptor? = nil) {
        self.username = username
        self.pin = pin
    }

    public static let refusesUnknownKeys = true

    static let pinMeaning =
        "a pipe, or a memfd sealed against write, grow and shrink, of at most 256 bytes that come within 2 s; one newline at the end is dropped"

    public static let fields: [MessageField<Self>] = [
        .optional("username", \.username, ""),
        .descriptor("pin", \.pin, pinMeaning),
    ]
}
