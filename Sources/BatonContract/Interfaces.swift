public import DBus

/// The interfaces as introspection shows them; `dbus/*.xml` must say the same.
public enum Interfaces {
    /// All that `/org/baton/Device1` has beside the standard ones.
    public static let device: [InterfaceDescription] = [device1, participants, tokens, administration, deviceAgent]

    public static let device1: InterfaceDescription = {
        var interface = InterfaceDescription(Device1.interface)
        interface.add(Device1.getDeviceMode)
        interface.add(Device1.getDeviceInformation)
        interface.add(Device1.getCurrentAccount)
        interface.add(Device1.signIn)
        interface.add(Device1.cancelSignIn)
        interface.add(Device1.signOut)
        interface.add(Device1.keepSignedIn)
        interface.add(Device1.lock)
        interface.add(Device1.unlock)
        interface.add(Device1.getReceipt)
        interface.add(Device1.listReceipts)
        interface.add(Device1.signInStep)
        interface.add(Device1.signedIn)
        interface.add(Device1.signingOut)
        interface.add(Device1.signedOut)
        interface.add(Device1.automaticSignOutPending)
        interface.add(Device1.automaticSignOutCancelled)
        interface.add(Device1.deviceMode)
        interface.add(Device1.phase)
        interface.add(Device1.epoch)
        interface.add(Device1.currentAccount)
        interface.add(Device1.previousAccount)
        interface.add(Device1.locked)
        interface.add(Device1.deadline)
        interface.add(Device1.version)
        return interface
    }()

    public static let participants: InterfaceDescription = {
        var interface = InterfaceDescription(Participants.interface)
        interface.add(Participants.register)
        interface.add(Participants.acknowledge)
        interface.add(Participants.extend)
        interface.add(Participants.leave)
        interface.add(Participants.list)
        return interface
    }()

    public static let tokens: InterfaceDescription = {
        var interface = InterfaceDescription(Tokens.interface)
        interface.add(Tokens.acquireToken)
        interface.add(Tokens.acquireTokenSilently)
        interface.add(Tokens.getErrorDetails)
        interface.add(Tokens.handleResponse)
        return interface
    }()

    public static let administration: InterfaceDescription = {
        var interface = InterfaceDescription(Administration.interface)
        interface.add(Administration.endQuarantine)
        interface.add(Administration.forgetApp)
        interface.add(Administration.setDeviceMode)
        interface.add(Administration.reload)
        interface.add(Administration.listPINAttempts)
        interface.add(Administration.unlockAccount)
        interface.add(Administration.exportReceipts)
        return interface
    }()

    public static let deviceAgent: InterfaceDescription = {
        var interface = InterfaceDescription(DeviceAgent.interface)
        interface.add(DeviceAgent.register)
        interface.add(DeviceAgent.processExited)
        interface.add(DeviceAgent.launched)
        interface.add(DeviceAgent.startPage)
        interface.add(DeviceAgent.idle)
        interface.add(DeviceAgent.stateChanged)
        interface.add(DeviceAgent.providerSignedOut)
        return interface
    }()

    public static let agent1: InterfaceDescription = {
        var interface = InterfaceDescription(Agent1.interface)
        interface.add(Agent1.configure)
        interface.add(Agent1.prepareTurn)
        interface.add(Agent1.beginTurn)
        interface.add(Agent1.watchProcess)
        interface.add(Agent1.hasStarted)
        interface.add(Agent1.contain)
        interface.add(Agent1.signOutBrowser)
        interface.add(Agent1.clearSharedHolders)
        interface.add(Agent1.openSignIn)
        interface.add(Agent1.closeSignIn)
        interface.add(Agent1.lock)
        interface.add(Agent1.unlock)
        return interface
    }()
}
