import DBus

/// The answer of `Reload`: which settings changed, and which of them do not hold yet. A key is as in the settings file, such as
/// `barrier` or `agent.user`; an app is its file, `apps.d/org.example.Till.yaml`.
public struct ReloadReport: ReportMessage, Hashable {
    /// What differs from the settings until now.
    public var changed: [String] = []
    /// What differs from the settings that batond started with and holds only when it is started again.
    public var needsRestart: [String] = []
    /// What holds when the worker who has the device has left.
    public var nextTurn: [String] = []
    /// What a reload never takes over: `mode`, which is set with `SetDeviceMode`.
    public var notTaken: [String] = []
    /// Each app that is disabled, with file, line and key of what is wrong.
    public var appFaults: [String] = []

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .value(
            "changed", \.changed, "keys of the settings, and apps.d/ID.yaml, that differ from before"),
        .value(
            "needs-restart", \.needsRestart,
            "keys that differ from those that batond started with and take effect when it is restarted"),
        .value(
            "next-turn", \.nextTurn, "keys that take effect when the present worker has left"),
        .value("not-taken", \.notTaken, "keys that a reload never takes over"),
        .value(
            "app-faults", \.appFaults, "file, line and key of each error that disables an app"),
    ]
}
