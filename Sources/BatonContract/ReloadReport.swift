public import DBus

/// The answer of `Reload`: which settings changed, and which of them do not hold yet. A key is as in the settings file, such as
/// `barrier` or `agent.user`; an app is its file, `apps.d/org.example.Till.yaml`.
public struct ReloadReport: Hashable, Sendable, Codable {
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

    enum CodingKeys: String, CodingKey {
        case changed
        case needsRestart = "needs-restart"
        case nextTurn = "next-turn"
        case notTaken = "not-taken"
        case appFaults = "app-faults"
    }

    public init() {}

    /// From the bus; what is missing, as from an older batond, is empty.
    public init(_ dictionary: VariantDictionary) {
        changed = Self.words(dictionary, .changed)
        needsRestart = Self.words(dictionary, .needsRestart)
        nextTurn = Self.words(dictionary, .nextTurn)
        notTaken = Self.words(dictionary, .notTaken)
        appFaults = Self.words(dictionary, .appFaults)
    }

    public var dictionary: VariantDictionary {
        [
            CodingKeys.changed.rawValue: .strings(changed), CodingKeys.needsRestart.rawValue: .strings(needsRestart),
            CodingKeys.nextTurn.rawValue: .strings(nextTurn), CodingKeys.notTaken.rawValue: .strings(notTaken),
            CodingKeys.appFaults.rawValue: .strings(appFaults),
        ]
    }

    private static func words(_ dictionary: VariantDictionary, _ key: CodingKeys) -> [String] {
        dictionary[key.rawValue]?.strings ?? []
    }
}
