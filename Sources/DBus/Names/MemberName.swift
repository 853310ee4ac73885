import CDBus

/// The name of a method, signal or property.
public struct MemberName: Name {
    public let rawValue: String

    public init?(_ rawValue: String) {
        guard passes(rawValue, dbus_validate_member) else { return nil }
        self.rawValue = rawValue
    }
}
