public import DBus

/// Names and members of `org.baton.Device1.Participants`.
public enum Participants {
    public static let interface: InterfaceName = "org.baton.Device1.Participants"

    public static let register = Method(
        interface, "Register",
        takes: Arguments(
            ("app_id", String.self), ("cleared_through", UInt64.self), ("options", VariantDictionary.self)),
        gives: Arguments(
            ("instance", UInt64.self), ("epoch", UInt64.self), ("phase", String.self), ("clear_through", UInt64.self),
            ("account", VariantDictionary.self)))
    public static let acknowledge = Method(
        interface, "Acknowledge",
        takes: Arguments(
            ("epoch", UInt64.self), ("instance", UInt64.self), ("outcome", String.self),
            ("details", VariantDictionary.self)))
    public static let extend = Method(
        interface, "Extend",
        takes: Arguments(("epoch", UInt64.self), ("instance", UInt64.self), ("milliseconds", UInt32.self)),
        gives: Arguments(("deadline", UInt64.self)))
    public static let leave = Method(interface, "Leave", takes: Arguments(("instance", UInt64.self)))
    public static let list = Method(
        interface, "List", gives: Arguments(("participants", [VariantDictionary].self)))
}
