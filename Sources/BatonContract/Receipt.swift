import DBus
public import Vocabulary

/// The record of one sign-out.
///
/// What a newer daemon adds is ignored, what is missing is empty, an outcome that is not known counts as the worst, and what
/// cannot be read is named in `unreadable`.
public struct Receipt: OptionalMessage, Hashable, Encodable {
    public var epoch: Epoch
    public var journalID: String
    /// Nil where the caller may not know.
    public var account: Account?
    /// Nil: one that this version does not know.
    public var reason: SignOutReason?
    /// Unix time in microseconds.
    public var started: Int64
    public var ended: Int64
    public var milliseconds: UInt32
    public var outcome: Outcome
    public var participants: [Participant]
    public var debts: [Debt]
    public var browser: CheckOutcome
    public var browserExplanation: String
    /// What was looked at to know that the browser is signed out, each with its own outcome.
    public var browserChecks: [Check]
    public var shared: [Check]
    /// What became of the sign-in at the identity provider.
    public var provider: ProviderOutcome
    public var providerExplanation: String
    public var rejected: [Rejection]
    /// How often batond was restarted in the middle of it.
    public var restarts: UInt32
    /// Why it ended quarantined, else empty.
    public var explanation: String
    public var release: Release?
    /// The tokens that apps were given in the turn.
    public var tokens: [TokenCount]
    /// Why there may have been more; empty: each was counted.
    public var tokensExplanation: String
    /// In the last of a list that was asked for: how many older ones did not fit into the answer. Nil: none.
    public var leftOut: UInt32?
    /// The keys that were there and could not be read, or not wholly, by this version; a list among them may be shorter
    /// than it is.
    public var unreadable: [String] = []

    public init() {
        self.init(
            epoch: 0, journalID: "", reason: nil, started: 0, ended: 0, milliseconds: 0, outcome: .quarantined,
            participants: [], debts: [], browser: .failed, browserExplanation: "", shared: [], provider: .notTold,
            rejected: [], restarts: 0, explanation: "")
    }

    public init(
        epoch: Epoch, journalID: String, account: Account? = nil, reason: SignOutReason?, started: Int64,
        ended: Int64, milliseconds: UInt32, outcome: Outcome, participants: [Participant], debts: [Debt],
        browser: CheckOutcome, browserExplanation: String, shared: [Check], provider: ProviderOutcome,
        providerExplanation: String = "", rejected: [Rejection], restarts: UInt32, explanation: String,
        release: Release? = nil, browserChecks: [Check] = [], tokens: [TokenCount] = [],
        tokensExplanation: String = "", leftOut: UInt32? = nil
    ) {
        self.epoch = epoch
        self.journalID = journalID
        self.account = account
        self.reason = reason
        self.started = started
        self.ended = ended
        self.milliseconds = milliseconds
        self.outcome = outcome
        self.participants = participants
        self.debts = debts
        self.browser = browser
        self.browserExplanation = browserExplanation
        self.browserChecks = browserChecks
        self.shared = shared
        self.provider = provider
        self.providerExplanation = providerExplanation
        self.rejected = rejected
        self.restarts = restarts
        self.explanation = explanation
        self.release = release
        self.tokens = tokens
        self.tokensExplanation = tokensExplanation
        self.leftOut = leftOut
    }

    /// An empty dictionary says that there was nothing to sign out.
    public var isThere: Bool { epoch != 0 }

    public static let fields: [MessageField<Self>] = [
        .value("epoch", \.epoch),
        .value("journal-id", \.journalID),
        .optionalMessage("account", \.account),
        .wordIfKnown("reason", \.reason),
        .value("started", \.started),
        .value("ended", \.ended),
        .value("milliseconds", \.milliseconds, "how long it took, independent of changes of the clock"),
        .word("outcome", \.outcome, "the worst of cleared, owed, contained, quarantined"),
        .messages("participants", \.participants),
        .messages("debts", \.debts),
        .word("browser", \.browser),
        .value("browser-explanation", \.browserExplanation),
        .messages("browser-checks", \.browserChecks),
        .messages("shared", \.shared),
        .word("provider", \.provider, ""),
        .value("provider-explanation", \.providerExplanation),
        .messages("rejected", \.rejected),
        .value("restarts", \.restarts, "of batond meanwhile"),
        .optionalMessage("release", \.release),
        .value("explanation", \.explanation, "why quarantined"),
        .messages("tokens", \.tokens),
        .value("tokens-explanation", \.tokensExplanation),
        .optional("left-out", \.leftOut, "see ListReceipts"),
    ]
}
