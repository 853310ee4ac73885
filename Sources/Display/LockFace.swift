/// What a locked screen says, and what can be pressed on it. Each text is one line.
public struct LockFace: Sendable, Hashable {
    /// Whose turn it is.
    public var name: String
    /// What became of the screen.
    public var title: String
    /// What the PIN is for, or why there is none.
    public var hint: String
    /// In place of the hint: what the last PIN came to; empty: none was wrong.
    public var message: String
    /// When the worker is signed out.
    public var end: String
    /// How many digits have been typed.
    public var digits: Int
    /// There are keys for a PIN; else only `other`.
    public var hasKeys: Bool
    /// The button with which the worker comes back.
    public var back: String
    /// The button for another worker, who signs the worker out.
    public var other: String

    public init(
        name: String, title: String, hint: String, message: String = "", end: String, digits: Int = 0, hasKeys: Bool,
        back: String, other: String
    ) {
        self.name = name
        self.title = title
        self.hint = hint
        self.message = message
        self.end = end
        self.digits = digits
        self.hasKeys = hasKeys
        self.back = back
        self.other = other
    }
}

/// What a person does at a locked screen, on its keyboard, with a pointer or a finger.
public enum LockKey: Sendable, Hashable {
    /// 0 to 9.
    case digit(UInt8)
    /// Takes the last digit back.
    case erase
    /// The worker is back, and has typed their PIN.
    case enter
    /// Another worker is there.
    case other
}
