import DBus

/// The desktop's notification service, as the specification of freedesktop.org has it.
enum Notifications {
    static let busName: BusName = "org.freedesktop.Notifications"
    static let path: ObjectPath = "/org/freedesktop/Notifications"
    static let interface: InterfaceName = "org.freedesktop.Notifications"

    static let notify = Method(
        interface, "Notify",
        takes: Arguments(
            ("app_name", String.self), ("replaces_id", UInt32.self), ("app_icon", String.self),
            ("summary", String.self), ("body", String.self), ("actions", [String].self),
            ("hints", VariantDictionary.self), ("expire_timeout", Int32.self)),
        gives: Arguments(("id", UInt32.self)))
    static let close = Method(interface, "CloseNotification", takes: Arguments(("id", UInt32.self)))
    static let actionInvoked = Signal(
        interface, "ActionInvoked", Arguments(("id", UInt32.self), ("action_key", String.self)))
    static let closed = Signal(
        interface, "NotificationClosed", Arguments(("id", UInt32.self), ("reason", UInt32.self)))
}
