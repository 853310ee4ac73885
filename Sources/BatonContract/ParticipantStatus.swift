import DBus
public import Vocabulary

/// One row of `List`: a registration, or an app that is in debt without one.
public struct ParticipantStatus: ReportMessage, Hashable {
    public var app: String
    public var uid: UInt32
    /// 0: not registered.
    public var instance: Instance
    public var sender: String
    public var pid: UInt32
    public var identity: AppIdentity
    /// Nil: a word that is not known here.
    public var state: ParticipantState?
    /// It has not acknowledged and the soft deadline is over.
    public var slow: Bool
    /// The epoch that it must clear before it gets anything; 0: none.
    public var clearThrough: Epoch
    /// The first epoch of its debt; 0: none.
    public var owedSince: Epoch
    /// It has a file under `apps.d`.
    public var listed: Bool

    public init() { self.init(app: "", uid: 0, state: nil) }

    public init(
        app: String, uid: UInt32, instance: Instance = 0, sender: String = "", pid: UInt32 = 0,
        identity: AppIdentity = .claimed, state: ParticipantState?, slow: Bool = false, clearThrough: Epoch = 0,
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

    public static let fields: [MessageField<Self>] = [
        .value("app", \.app),
        .value("uid", \.uid),
        .value("instance", \.instance, "0: not registered"),
        .value("sender", \.sender),
        .value("pid", \.pid),
        .word("identity", \.identity),
        .wordIfKnown(
            "state", \.state,
            "clean, in-use, clearing, containing, cleared, contained, owed, unproven, left, gone: see below"),
        .value("slow", \.slow, "the soft deadline is over"),
        .value("clear-through", \.clearThrough, "the epoch that it must clear first, or 0"),
        .value("owed-since", \.owedSince, "the first epoch of its debt, or 0"),
        .value("listed", \.listed, "it has a file under apps.d"),
    ]
}
