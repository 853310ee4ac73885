public import DBus

/// One row of `List`: a registration, or an app that is in debt without one.
public struct ParticipantStatus: Hashable, Sendable, Codable {
    public var app: String
    public var uid: UInt32
    /// 0: not registered.
    public var instance: UInt64
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
    public var clearThrough: UInt64
    /// The first epoch of its debt; 0: none.
    public var owedSince: UInt64
    /// It has a file under `apps.d`.
    public var listed: Bool

    enum CodingKeys: String, CodingKey {
        case app, uid, instance, sender, pid, identity, state, slow, listed
        case clearThrough = "clear-through"
        case owedSince = "owed-since"
    }

    public init(
        app: String, uid: UInt32, instance: UInt64 = 0, sender: String = "", pid: UInt32 = 0,
        identity: String = "claimed", state: String, slow: Bool = false, clearThrough: UInt64 = 0,
        owedSince: UInt64 = 0, listed: Bool = false
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
            app: text(.app), uid: dictionary["uid"]?.uint32 ?? 0, instance: dictionary["instance"]?.uint64 ?? 0,
            sender: text(.sender), pid: dictionary["pid"]?.uint32 ?? 0, identity: text(.identity), state: text(.state),
            slow: dictionary["slow"]?.boolean ?? false, clearThrough: dictionary["clear-through"]?.uint64 ?? 0,
            owedSince: dictionary["owed-since"]?.uint64 ?? 0, listed: dictionary["listed"]?.boolean ?? false)
    }

    public var dictionary: VariantDictionary {
        [
            "app": .string(app), "uid": .uint32(uid), "instance": .uint64(instance), "sender": .string(sender),
            "pid": .uint32(pid), "identity": .string(identity), "state": .string(state), "slow": .boolean(slow),
            "clear-through": .uint64(clearThrough), "owed-since": .uint64(owedSince), "listed": .boolean(listed),
        ]
    }
}
