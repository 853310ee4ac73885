import CDBus

/// The name of an error, such as `org.freedesktop.DBus.Error.InvalidArgs`.
public struct ErrorName: Name {
    public let rawValue: String

    public init?(_ rawValue: String) {
        guard passes(rawValue, dbus_validate_error_name) else { return nil }
        self.rawValue = rawValue
    }
}
