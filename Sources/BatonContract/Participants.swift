public import DBus

/// Names and members of `org.baton.Device1.Participants`.
public enum Participants {
    public static let interface: InterfaceName = "org.baton.Device1.Participants"

    public static let register = Method(
        interface, "Register",
        takes: Arguments(
            ("app_id", String.self), ("cleared_through", Epoch.self), ("options", VariantDictionary.self)
        ).holding(RegistrationOptions.self, in: "options"),
        gives: Arguments(
            ("instance", Instance.self), ("epoch", Epoch.self), ("phase", String.self), ("clear_through", Epoch.self),
            ("account", VariantDictionary.self)))
    public static let acknowledge = Method(
        interface, "Acknowledge",
        takes: Arguments(
            ("epoch", Epoch.self), ("instance", Instance.self), ("outcome", String.self),
            ("details", VariantDictionary.self)))
    public static let extend = Method(
        interface, "Extend",
        takes: Arguments(("epoch", Epoch.self), ("instance", Instance.self), ("milliseconds", UInt32.self)),
        gives: Arguments(("deadline", UInt64.self)))
    public static let leave = Method(interface, "Leave", takes: Arguments(("instance", Instance.self)))
    public static let list = Method(
        interface, "List",
        gives: Arguments(("participants", [VariantDictionary].self)).holding(ParticipantStatus.self, in: "participants")
    )
}
