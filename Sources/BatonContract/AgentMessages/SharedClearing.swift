import DBus
public import Vocabulary

/// How what programs share is cleared: the options of `ClearSharedHolders`.
public struct SharedClearing: DictionaryMessage, Hashable {
    public var limit = Duration.seconds(4)
    /// See `TurnBeginning`.
    public var began: Int64 = 0
    public var boottime: UInt64?
    /// Processes that wait for this very sign-out.
    public var spare: [UInt32] = []
    /// The registrations of apps that have a file in the settings.
    public var listed: [Instance] = []

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .duration("limit", \.limit, "microseconds that it may take"),
        .value("began", \.began, "when the turn began, Unix time in microseconds; 0: unknown"),
        .optional("began-boottime", \.boottime, TurnBeginning.boottimeMeaning),
        .value(
            "spare", \.spare,
            "processes that wait for this sign-out: only these are left running until they have its answer, and named"),
        .value(
            "listed", \.listed,
            "the registrations of apps that have a file in the settings: their processes are no strays; any other participant that was started in the turn is ended"
        ),
    ]
}

/// One thing that was looked at.
public struct CheckRow: DictionaryMessage, Hashable {
    public var holder = ""
    public var outcome = CheckOutcome.failed
    public var explanation = ""

    public init() {}

    public init(_ holder: String, _ outcome: CheckOutcome, _ explanation: String) {
        self.holder = holder
        self.outcome = outcome
        self.explanation = explanation
    }

    public static let fields: [MessageField<Self>] = [
        .text("holder", \.holder, atMost: 64),
        .word("outcome", \.outcome),
        .text("explanation", \.explanation, atMost: 1024),
    ]
}
