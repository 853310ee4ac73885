import CDBus

/// A string that the D-Bus specification restricts, checked once when it is made.
///
/// The failable initialiser is for what comes from outside. A literal is our own text: a wrong one is a mistake in
/// the program and stops it.
public protocol Name: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    var rawValue: String { get }

    /// Nil unless `rawValue` follows the specification's rules for this kind of name.
    init?(_ rawValue: String)
}

extension Name {
    public init(stringLiteral value: StaticString) {
        let text = value.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        guard let name = Self(text) else { preconditionFailure("not a valid \(Self.self): \(text)") }
        self = name
    }

    public var description: String { rawValue }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// libdbus's own check, so that nothing it would abort on ever reaches it.
func passes(_ text: String, _ check: (UnsafePointer<CChar>, UnsafeMutablePointer<CDBus.DBusError>?) -> UInt32) -> Bool {
    // A C string would end at the first NUL and hide what follows.
    guard !text.utf8.contains(0) else { return false }
    return text.withCString { check($0, nil) != 0 }
}
