import CDBus

/// The types of a list of values, such as `sa{sv}`; empty for none.
public struct Signature: Name {
    public let rawValue: String

    public init?(_ rawValue: String) {
        guard passes(rawValue, dbus_signature_validate) else { return nil }
        self.rawValue = rawValue
    }

    /// For the signature that a type declares.
    init(declared: String) {
        rawValue = declared
    }
}
