public import DBus

/// The options of `Unlock`: one of them.
public struct UnlockOptions: DictionaryMessage, Hashable {
    /// The worker's.
    public var pin: OwnedDescriptor?
    /// How they show at the identity provider that they are back.
    public var method: SignInMethod?

    public init() {}

    public init(pin: OwnedDescriptor) { self.pin = pin }

    public init(_ method: SignInMethod) { self.method = method }

    public static let refusesUnknownKeys = true

    public static let fields: [MessageField<Self>] = [
        .descriptor("pin", \.pin, LocalSignIn.pinMeaning),
        .optionalWord("method", \.method, "device-code, where the settings offer it; SignInStep says what to do"),
    ]
}
