public import DBus

/// What only administrators may do, as polkit knows it; `packaging/org.baton.policy` says what polkit asks for by default.
///
/// Each method that is for administrators alone asks for exactly one.
public enum AdministratorAction: String, CaseIterable, Sendable {
    case reset = "org.baton.reset"
    case forgetApp = "org.baton.forget-app"
    case setDeviceMode = "org.baton.set-device-mode"
    case reload = "org.baton.reload"
    case unlockAccount = "org.baton.unlock-account"
    case readReceipts = "org.baton.read-receipts"
    case signOutOther = "org.baton.sign-out-other"
    case setLogLevel = "org.baton.set-log-level"

    /// The methods and properties that ask for it.
    public var members: [MemberName] {
        switch self {
        case .reset: [Administration.endQuarantine.name]
        case .forgetApp: [Administration.forgetApp.name]
        case .setDeviceMode: [Administration.setDeviceMode.name]
        case .reload: [Administration.reload.name]
        case .unlockAccount: [Administration.listPINAttempts.name, Administration.unlockAccount.name]
        // The last two answer each caller, and show the whole receipt to whom may read it.
        case .readReceipts: [Administration.exportReceipts.name, Device1.getReceipt.name, Device1.listReceipts.name]
        // With the reason administrator, and a sign-in that another caller asked for.
        case .signOutOther: [Device1.signOut.name, Device1.cancelSignIn.name]
        case .setLogLevel: [LogControl1.logLevel.name]
        }
    }
}
