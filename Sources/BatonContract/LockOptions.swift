public import DBus

/// The options of `Lock`.
public struct LockOptions: DictionaryMessage, Hashable {
    /// Chosen for this turn, where the worker's account has none of its own.
    public var pin: OwnedDescriptor?
    /// The worker chooses none, and comes back by phone.
    public var withoutPIN = false

    public init() {}

    public init(_ pin: OwnedDescriptor?) { self.pin = pin }

    public static let refusesUnknownKeys = true

    public static let fields: [MessageField<Self>] = [
        .descriptor("pin", \.pin, LocalSignIn.pinMeaning),
        .value("without-pin", \.withoutPIN, "the worker chooses none, and comes back by phone") { !$0.withoutPIN },
    ]
}
