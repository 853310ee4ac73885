public import DBus

/// Names and members of `org.baton.Device1.Agent`: what the agent tells the supervisor.
public enum DeviceAgent {
    public static let interface: InterfaceName = "org.baton.Device1.Agent"

    public static let register = Method(
        interface, "Register", takes: Arguments(("options", AgentRegistration.self)),
        gives: Arguments(("state", AgentWelcome.self)))
    public static let processExited = Method(
        interface, "ProcessExited", takes: Arguments(("instance", Instance.self)))
    public static let launched = Method(
        interface, "Launched", takes: Arguments(("app_id", String.self), ("token", OwnedDescriptor.self)))
    public static let startPage = Method(interface, "StartPage", takes: Arguments(("shown", Bool.self)))
    public static let idle = Method(
        interface, "Idle", takes: Arguments(("epoch", Epoch.self), ("last_input", UInt64.self)))
    public static let stateChanged = Method(
        interface, "StateChanged", takes: Arguments(("state", AgentState.self)))
    public static let providerSignedOut = Method(
        interface, "ProviderSignedOut", takes: Arguments(("issuer", String.self), ("session", String.self)),
        gives: Arguments(("accepted", Bool.self)))
}

/// Names and members of `org.baton.Agent1`: what the supervisor asks of the agent. No other process may call it.
public enum Agent1 {
    public static let path: ObjectPath = "/org/baton/Agent1"
    public static let interface: InterfaceName = "org.baton.Agent1"

    public static let configure = Method(
        interface, "Configure", takes: Arguments(("settings", AgentConfiguration.self)),
        gives: Arguments(("state", AgentState.self)))
    public static let prepareTurn = Method(
        interface, "PrepareTurn", takes: Arguments(("options", TurnPreparation.self)))
    public static let beginTurn = Method(
        interface, "BeginTurn", takes: Arguments(("epoch", Epoch.self), ("options", TurnBeginning.self)))
    public static let watchProcess = Method(
        interface, "WatchProcess",
        takes: Arguments(("instance", Instance.self), ("unique_name", String.self), ("pid", UInt32.self)),
        gives: Arguments(("watching", Bool.self)))
    public static let hasStarted = Method(
        interface, "HasStarted", takes: Arguments(("app_id", String.self), ("pid", UInt32.self)),
        gives: Arguments(("started", Bool.self)))
    public static let contain = Method(
        interface, "Contain", takes: Arguments(("app", ContainmentOrder.self)),
        gives: Arguments(("result", ContainmentResult.self)))
    public static let signOutBrowser = Method(
        interface, "SignOutBrowser",
        takes: Arguments(("epoch", Epoch.self), ("options", BrowserSignOut.self)),
        gives: Arguments(("result", BrowserSignOutResult.self)))
    public static let clearSharedHolders = Method(
        interface, "ClearSharedHolders",
        takes: Arguments(("epoch", Epoch.self), ("options", SharedClearing.self)),
        gives: Arguments(("holders", [CheckRow].self)))
    public static let openSignIn = Method(
        interface, "OpenSignIn", takes: Arguments(("url", String.self), ("options", SignInPage.self)))
    public static let closeSignIn = Method(interface, "CloseSignIn", gives: Arguments(("clean", Bool.self)))
    public static let lock = Method(
        interface, "Lock", takes: Arguments(("epoch", Epoch.self), ("options", LockOrder.self)),
        gives: Arguments(("covered", Bool.self), ("lasts", Bool.self)))
    public static let unlock = Method(interface, "Unlock", takes: Arguments(("epoch", Epoch.self)))
}
