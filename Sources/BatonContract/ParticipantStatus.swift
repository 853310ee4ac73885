public import DBus

/// One row of `List`: a registration, or an app that is in debt without one.
public struct ParticipantStatus: Hashable, Sendable, Codable {
    public var app: String
    public var uid: UInt32
    /// 0: not registered.
    public var instance: Instance
    public var sender: String
    public var pid: UInt32
    /// `proven` or `claimed`; see the receipt.
    public var identity: String
    /// `clean`, `in-use`, `clearing`, `containing`, `cleared`, `contained`, `owed`, `unproven`, `left` (it said `Leave`) or
    /// `gone` (it left the bus and did not).
    public var state: String
    /// It has not acknowledged and the soft deadline is over.
    public var slow: Bool
    /// The epoch that it must clear before it gets anything; 0: none.
    public var clearThrough: Epoch
    /// The first epoch of its debt; 0: none.
    public var owedSince: Epoch
    /// It has a file under `apps.d`.
    public var listed: Bool

    enum CodingKeys: String, CodingKey {
        case app, uid, instance, sender, pid, identity, state, slow, listed
        case clearThrough = "clear-through"
        case owedSince = "owed-since"
    }

    public init(
        app: String, uid: UInt32, instance: Instance = 0, sender: String = "", pid: UInt32 = 0,
        identity: String = "claimed", state: String, slow: Bool = false, clearThrough: Epoch = 0,
        owedSince: Epoch = 0, listed: Bool = false
    ) {
        self.app = app
        self.uid = uid
        self.instance = instance
        self.sender = sender
        self.pid = pid
        self.identity = identity
        self.state = state
        self.slow = slow
        self.clearThrough = clearThrough
        self.owedSince = owedSince
        self.listed = listed
    }

    public init(_ dictionary: VariantDictionary) {
        func text(_ key: CodingKeys) -> String { dictionary[key.rawValue]?.string ?? "" }
        self.init(
            app: text(.app), uid: dictionary["uid"]?.uint32 ?? 0,
            instance: dictionary["instance"].flatMap(Instance.init) ?? 0,
            sender: text(.sender), pid: dictionary["pid"]?.uint32 ?? 0, identity: text(.identity), state: text(.state),
            slow: dictionary["slow"]?.boolean ?? false,
            clearThrough: dictionary["clear-through"].flatMap(Epoch.init) ?? 0,
            owedSince: dictionary["owed-since"].flatMap(Epoch.init) ?? 0, listed: dictionary["listed"]?.boolean ?? false
        )
    }

    public var dictionary: VariantDictionary {
        [
            "app": .string(app), "uid": .uint32(uid), "instance": instance.variant, "sender": .string(sender),
            "pid": .uint32(pid), "identity": .string(identity), "state": .string(state), "slow": .boolean(slow),
            "clear-through": clearThrough.variant, "owed-since": owedSince.variant, "listed": .boolean(listed),
        ]
    }
}
