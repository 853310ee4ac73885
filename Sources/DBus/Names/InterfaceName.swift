import CDBus

/// The name of an interface, such as `org.freedesktop.DBus.Peer`.
public struct InterfaceName: Name {
    public let rawValue: String

    public init?(_ rawValue: String) {
        guard passes(rawValue, dbus_validate_interface) else { return nil }
        self.rawValue = rawValue
    }
}
