/// What a locked screen says, and what can be pressed on it. Each text is one line.
public struct LockFace: Sendable, Hashable {
    /// Whose turn it is.
    public var name: String
    /// What became of the screen.
    public var title: String
    /// What the PIN is for, or that this turn has no PIN.
    public var hint: String
    /// In place of the hint: what the last PIN came to; empty: none was wrong.
    public var message: String
    /// When the worker is signed out.
    public var end: String
    /// How many characters have been typed.
    public var typed: Int
    /// There are keys for a PIN.
    public var hasKeys: Bool
    /// The button with which the worker comes back; while `elsewhere` is shown, with which they give that up.
    public var back: String
    /// What stands for another device of theirs, on a key beside those for a PIN, or on `back` where there are none; empty: it opens
    /// nothing.
    public var phone: String
    /// What has to be done on that device, in place of the keys.
    public var elsewhere: LockCode?
    /// The button for another worker, who signs the worker out.
    public var other: String

    public init(
        name: String, title: String, hint: String, message: String = "", end: String, typed: Int = 0, hasKeys: Bool,
        back: String, phone: String = "", elsewhere: LockCode? = nil, other: String
    ) {
        self.name = name
        self.title = title
        self.hint = hint
        self.message = message
        self.end = end
        self.typed = typed
        self.hasKeys = hasKeys
        self.back = back
        self.phone = phone
        self.elsewhere = elsewhere
        self.other = other
    }
}

/// What a person does at a locked screen, on its keyboard, with a pointer or a finger.
public enum LockKey: Sendable, Hashable {
    /// Of a PIN: a digit, or what a keyboard has beside them.
    case character(Unicode.Scalar)
    /// Takes the last character back.
    case erase
    /// The worker is back, and has typed their PIN.
    case enter
    /// Another worker is there.
    case other
    /// The worker comes back with another device.
    case phone
    /// That device is not waited for any more.
    case cancel
}

extension LockFace {
    /// What `back` stands for; nil: nothing brings the worker back.
    var backKey: LockKey? {
        if elsewhere != nil { return .cancel }
        if hasKeys { return .enter }
        return phone.isEmpty ? nil : .phone
    }
}

extension LockKey {
    /// - Parameter value: 0 to 9.
    static func digit(_ value: UInt8) -> LockKey { .character(Unicode.Scalar(48 + min(value, 9))) }
}
