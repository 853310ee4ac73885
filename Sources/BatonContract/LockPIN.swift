public import DBus

/// The options of `Lock` and of `Unlock`.
public struct LockPIN: DictionaryMessage, Hashable {
    /// Of `Lock`: chosen for this turn, where the worker's account has none of its own. Of `Unlock`: the worker's.
    public var pin: OwnedDescriptor?

    public init() {}

    public init(_ pin: OwnedDescriptor?) { self.pin = pin }

    public static let refusesUnknownKeys = true

    public static let fields: [MessageField<Self>] = [
        .descriptor("pin", \.pin, LocalSignIn.pinMeaning)
    ]
}
