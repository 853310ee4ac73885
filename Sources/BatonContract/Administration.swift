public import DBus

/// Names and members of `org.baton.Device1.Administration`.
public enum Administration {
    public static let interface: InterfaceName = "org.baton.Device1.Administration"

    public static let endQuarantine = Method(
        interface, "EndQuarantine", takes: Arguments(("options", VariantDictionary.self)),
        gives: Arguments(("receipt", VariantDictionary.self)))
    public static let forgetApp = Method(
        interface, "ForgetApp", takes: Arguments(("uid", UInt32.self), ("app_id", String.self)))
    public static let setDeviceMode = Method(
        interface, "SetDeviceMode", takes: Arguments(("mode", String.self)))
    public static let reload = Method(
        interface, "Reload",
        gives: Arguments(("report", VariantDictionary.self)).holding(ReloadReport.self, in: "report"))
    public static let listPINAttempts = Method(
        interface, "ListPINAttempts",
        gives: Arguments(("attempts", [VariantDictionary].self)).holding(PINAttemptsStatus.self, in: "attempts"))
    public static let unlockAccount = Method(
        interface, "UnlockAccount", takes: Arguments(("username", String.self)))
    public static let exportReceipts = Method(
        interface, "ExportReceipts",
        takes: Arguments(("options", VariantDictionary.self)).holding(ReceiptExportOptions.self, in: "options"),
        gives: Arguments(("entries", [VariantDictionary].self), ("chain", VariantDictionary.self))
            .holding(ReceiptEntry.self, in: "entries").holding(ReceiptChainState.self, in: "chain"))
}
