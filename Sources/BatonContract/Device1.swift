public import DBus

/// Names and members of `org.baton.Device1`; `dbus/org.baton.Device1.xml` says what each means.
public enum Device1 {
    public static let busName: BusName = "org.baton.Device1"
    public static let path: ObjectPath = "/org/baton/Device1"
    public static let interface: InterfaceName = "org.baton.Device1"

    public static let getDeviceMode = Method(interface, "GetDeviceMode", gives: Arguments(("mode", String.self)))
    public static let getDeviceInformation = Method(
        interface, "GetDeviceInformation",
        gives: Arguments(("information", VariantDictionary.self)).holding(DeviceInformation.self, in: "information"))
    public static let getCurrentAccount = Method(
        interface, "GetCurrentAccount",
        gives: Arguments(
            ("epoch", Epoch.self), ("current", VariantDictionary.self), ("previous", VariantDictionary.self)))
    /// Its options are a `LocalSignIn` or a `ProviderSignIn`.
    public static let signIn = Method(
        interface, "SignIn", takes: Arguments(("options", VariantDictionary.self)),
        gives: Arguments(("epoch", Epoch.self), ("account", VariantDictionary.self)))
    public static let cancelSignIn = Method(interface, "CancelSignIn")
    public static let signOut = Method(
        interface, "SignOut",
        takes: Arguments(("options", VariantDictionary.self)).holding(SignOutOptions.self, in: "options"),
        gives: Arguments(("epoch", Epoch.self), ("receipt", VariantDictionary.self)))
    public static let keepSignedIn = Method(interface, "KeepSignedIn")
    public static let lock = Method(interface, "Lock", takes: Arguments(("options", LockOptions.self)))
    public static let unlock = Method(interface, "Unlock", takes: Arguments(("options", UnlockOptions.self)))
    public static let getReceipt = Method(
        interface, "GetReceipt", takes: Arguments(("epoch", Epoch.self)),
        gives: Arguments(("receipt", VariantDictionary.self)).holding(Receipt.self, in: "receipt"))
    public static let listReceipts = Method(
        interface, "ListReceipts", takes: Arguments(("newest", UInt32.self)),
        gives: Arguments(("receipts", [VariantDictionary].self)))

    public static let signInStep = Signal(
        interface, "SignInStep", Arguments(("step", VariantDictionary.self)).holding(SignInStep.self, in: "step"))
    public static let signedIn = Signal(
        interface, "SignedIn", Arguments(("epoch", Epoch.self), ("account", VariantDictionary.self)))
    public static let signingOut = Signal(
        interface, "SigningOut",
        Arguments(
            ("epoch", Epoch.self), ("account", VariantDictionary.self), ("reason", String.self),
            ("deadline", UInt64.self)))
    public static let signedOut = Signal(
        interface, "SignedOut",
        Arguments(("epoch", Epoch.self), ("account", VariantDictionary.self), ("outcome", String.self)))
    public static let automaticSignOutPending = Signal(
        interface, "AutomaticSignOutPending", Arguments(("reason", String.self), ("deadline", UInt64.self)))
    public static let automaticSignOutCancelled = Signal(interface, "AutomaticSignOutCancelled")

    public static let deviceMode = Property(interface, "DeviceMode", String.self)
    public static let phase = Property(interface, "Phase", String.self)
    public static let epoch = Property(interface, "Epoch", Epoch.self)
    public static let currentAccount = Property(interface, "CurrentAccount", VariantDictionary.self)
    public static let previousAccount = Property(interface, "PreviousAccount", VariantDictionary.self)
    public static let locked = Property(interface, "Locked", Bool.self)
    public static let deadline = Property(interface, "Deadline", UInt64.self)
    public static let version = Property(interface, "Version", String.self, announcement: .constant)
}
