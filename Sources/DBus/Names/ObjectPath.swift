import CDBus

/// The path of an object on a connection, such as `/org/baton/Device1`.
public struct ObjectPath: Name {
    public let rawValue: String

    public init?(_ rawValue: String) {
        guard passes(rawValue, dbus_validate_path) else { return nil }
        self.rawValue = rawValue
    }

    /// The bus's own object.
    public static let bus: ObjectPath = "/org/freedesktop/DBus"

    /// The name of the next element below this path on the way to `other`; nil if `other` is not below.
    func child(towards other: ObjectPath) -> String? {
        let prefix = rawValue == "/" ? "/" : rawValue + "/"
        guard other.rawValue.hasPrefix(prefix), other.rawValue != prefix else { return nil }
        return other.rawValue.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
    }
}
