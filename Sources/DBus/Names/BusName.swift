import CDBus

/// The name of a connection: unique (`:1.42`, given by the bus) or well-known (`org.baton.Device1`, owned by one).
public struct BusName: Name {
    public let rawValue: String

    public init?(_ rawValue: String) {
        guard passes(rawValue, dbus_validate_bus_name) else { return nil }
        self.rawValue = rawValue
    }

    /// Whether the bus gave this name; unique names are never used twice while the bus lives.
    public var isUnique: Bool { rawValue.hasPrefix(":") }

    /// The bus itself.
    public static let bus: BusName = "org.freedesktop.DBus"
}
