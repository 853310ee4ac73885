import DBus
public import Vocabulary

extension Receipt {
    /// One app's part in it.
    public struct Participant: ReportMessage, Hashable {
        public var app: String
        public var uid: UInt32
        public var identity: AppIdentity
        /// One that this version does not know reads as `unproven`.
        public var outcome: ParticipantOutcome
        /// From the begin of the sign-out until the app was settled.
        public var milliseconds: UInt32
        /// How its containment is proven; nil: it was not contained.
        public var proof: Proof?
        /// What the app reported, as JSON; empty when it said nothing.
        public var details: String
        public var explanation: String

        public init() { self.init(app: "", uid: 0, identity: .claimed, outcome: .unproven) }

        public init(
            app: String, uid: UInt32, identity: AppIdentity, outcome: ParticipantOutcome, milliseconds: UInt32 = 0,
            proof: Proof? = nil, details: String = "", explanation: String = ""
        ) {
            self.app = app
            self.uid = uid
            self.identity = identity
            self.outcome = outcome
            self.milliseconds = milliseconds
            self.proof = proof
            self.details = details
            self.explanation = explanation
        }

        public static let fields: [MessageField<Self>] = [
            .value("app", \.app),
            .value("uid", \.uid),
            .word("identity", \.identity),
            .word("outcome", \.outcome),
            .value("milliseconds", \.milliseconds, "until it was settled"),
            .wordOrEmpty("proof", \.proof, "of a containment: slice, namespace, cgroup, tree, pid"),
            .value("details", \.details, "its report, as JSON"),
            .value("explanation", \.explanation),
        ]
    }

    /// What an app still owes of an earlier epoch.
    public struct Debt: ReportMessage, Hashable {
        public var app: String
        public var uid: UInt32
        public var since: Epoch

        public init() { self.init(app: "", uid: 0, since: 0) }

        public init(app: String, uid: UInt32, since: Epoch) {
            self.app = app
            self.uid = uid
            self.since = since
        }

        public static let fields: [MessageField<Self>] = [
            .value("app", \.app),
            .value("uid", \.uid),
            .value("since", \.since, "the first epoch owed"),
        ]
    }

    /// Something that was looked at: what all apps share, such as clipboard and downloads, or a part of the browser.
    public struct Check: ReportMessage, Hashable {
        public var holder: String
        /// One that this version does not know reads as `failed`.
        public var outcome: CheckOutcome
        public var explanation: String

        public init() { self.init(holder: "", outcome: .failed, explanation: "") }

        public init(holder: String, outcome: CheckOutcome, explanation: String) {
            self.holder = holder
            self.outcome = outcome
            self.explanation = explanation
        }

        public static let fields: [MessageField<Self>] = [
            .value("holder", \.holder),
            .word("outcome", \.outcome, "clean, unchecked, failed"),
            .value("explanation", \.explanation),
        ]
    }

    /// Acknowledgements that were refused, and calls beyond measure.
    public struct Rejection: ReportMessage, Hashable {
        /// Empty when the sender was not registered.
        public var app: String
        public var sender: String
        public var error: RejectionCause
        public var count: UInt32

        public init() { self.init(app: "", sender: "", error: .unknown(""), count: 0) }

        public init(app: String, sender: String, error: RejectionCause, count: UInt32) {
            self.app = app
            self.sender = sender
            self.error = error
            self.count = count
        }

        public static let fields: [MessageField<Self>] = [
            .value("app", \.app, "empty when the sender is not registered"),
            .value("sender", \.sender, "others: all those that no row names"),
            .typedText("error", \.error),
            .value("count", \.count),
        ]
    }

    /// How many tokens of the worker an app was given.
    public struct TokenCount: ReportMessage, Hashable {
        /// Empty: all apps together that have no row.
        public var app: String
        public var uid: UInt32
        public var count: UInt32

        public init() { self.init(app: "", uid: 0, count: 0) }

        public init(app: String, uid: UInt32, count: UInt32) {
            self.app = app
            self.uid = uid
            self.count = count
        }

        public static let fields: [MessageField<Self>] = [
            .value("app", \.app, "empty: all apps together that have no row"),
            .value("uid", \.uid),
            .value("count", \.count),
        ]
    }

    /// How a quarantine was left.
    public struct Release: OptionalMessage, Hashable, Encodable {
        /// Unix time in microseconds.
        public var when: Int64
        /// One that this version does not know reads as `administrator`: nothing says that all was proven.
        public var by: ReleaseCause
        public var explanation: String

        public init() { self.init(when: 0, by: .administrator, explanation: "") }

        public init(when: Int64, by: ReleaseCause, explanation: String) {
            self.when = when
            self.by = by
            self.explanation = explanation
        }

        public var isThere: Bool { when != 0 }

        public static let fields: [MessageField<Self>] = [
            .value("when", \.when),
            .word("by", \.by),
            .value("explanation", \.explanation),
        ]
    }
}
