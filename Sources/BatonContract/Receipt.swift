public import Vocabulary

/// The record of one sign-out.
public struct Receipt: Hashable, Sendable, Codable {
    /// One app's part in it.
    public struct Participant: Hashable, Sendable, Codable {
        public var app: String
        public var uid: UInt32
        /// `proven`: it showed the agent's token. `claimed`: any process of that user could have said so.
        public var identity: String
        /// `cleared`, `nothing-to-clear`, `contained`, `owed` or `unproven`.
        public var outcome: String
        /// From the begin of the sign-out until the app was settled.
        public var milliseconds: UInt32
        /// How its containment is proven: `namespace`, `cgroup`, `tree` or `pid`; else empty.
        public var proof: String
        /// What the app reported, as JSON; empty when it said nothing.
        public var details: String
        public var explanation: String

        public init(
            app: String, uid: UInt32, identity: String, outcome: String, milliseconds: UInt32, proof: String,
            details: String, explanation: String
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
    }

    /// What an app still owes of an earlier epoch.
    public struct Debt: Hashable, Sendable, Codable {
        public var app: String
        public var uid: UInt32
        public var since: Epoch

        public init(
            app: String, uid: UInt32, since: Epoch
        ) {
            self.app = app
            self.uid = uid
            self.since = since
        }
    }

    /// Something that was looked at: what all apps share, such as clipboard and downloads, or a part of the browser.
    public struct Holder: Hashable, Sendable, Codable {
        public var holder: String
        /// `clean`, `unchecked` or `failed`.
        public var outcome: String
        public var explanation: String

        public init(
            holder: String, outcome: String, explanation: String
        ) {
            self.holder = holder
            self.outcome = outcome
            self.explanation = explanation
        }
    }

    /// Acknowledgements that were refused.
    public struct Rejection: Hashable, Sendable, Codable {
        /// Empty when the sender was not registered.
        public var app: String
        public var sender: String
        public var error: String
        public var count: UInt32

        public init(
            app: String, sender: String, error: String, count: UInt32
        ) {
            self.app = app
            self.sender = sender
            self.error = error
            self.count = count
        }
    }

    /// How many tokens of the worker an app was given.
    public struct Tokens: Hashable, Sendable, Codable {
        /// Empty: all apps together that have no row.
        public var app: String
        public var uid: UInt32
        public var count: UInt32

        public init(
            app: String, uid: UInt32, count: UInt32
        ) {
            self.app = app
            self.uid = uid
            self.count = count
        }
    }

    /// How a quarantine was left.
    public struct Release: Hashable, Sendable, Codable {
        /// Unix time in microseconds.
        public var when: Int64
        /// `retry` or `administrator`.
        public var by: String
        public var explanation: String

        public init(
            when: Int64, by: String, explanation: String
        ) {
            self.when = when
            self.by = by
            self.explanation = explanation
        }
    }

    public var epoch: Epoch
    public var journalID: String
    /// Nil where the caller may not know.
    public var account: Account?
    public var reason: SignOutReason
    /// Unix time in microseconds.
    public var started: Int64
    public var ended: Int64
    public var milliseconds: UInt32
    public var outcome: Outcome
    public var participants: [Participant]
    public var debts: [Debt]
    /// `none`, `clean`, `unchecked` or `failed`.
    public var browser: String
    public var browserExplanation: String
    /// What was looked at to know that the browser is signed out, each with its own outcome.
    public var browserChecks: [Holder]
    public var shared: [Holder]
    /// What became of the sign-in at the identity provider. `none`: there is no provider. `signed-out`: its session is
    /// proven to have ended. `told`: it was asked to end the session and did not refuse; nothing proves that the session
    /// ended. `revoked`: the tokens are revoked, and the provider's own page waits for a person. `pending`: it was not
    /// reached in time, and batond goes on trying. `refused`. `not-told`: batond had nothing to tell it with.
    public var provider: String
    public var providerExplanation: String
    public var rejected: [Rejection]
    /// How often batond was restarted in the middle of it.
    public var restarts: UInt32
    /// Why it ended quarantined, else empty.
    public var explanation: String
    public var release: Release?
    /// The tokens that apps were given in the turn.
    public var tokens: [Tokens]
    /// Why there may have been more; empty: each was counted.
    public var tokensExplanation: String
    /// In the last of a list that was asked for: how many older ones did not fit into the answer. Nil: none.
    public var leftOut: UInt32?

    enum CodingKeys: String, CodingKey {
        case epoch, account, reason, started, ended, milliseconds, outcome, participants, debts, browser, shared
        case provider, rejected, restarts, explanation, release, tokens
        case tokensExplanation = "tokens-explanation"
        case leftOut = "left-out"
        case journalID = "journal-id"
        case browserExplanation = "browser-explanation"
        case browserChecks = "browser-checks"
        case providerExplanation = "provider-explanation"
    }

    public init(
        epoch: Epoch, journalID: String, account: Account? = nil, reason: SignOutReason, started: Int64,
        ended: Int64, milliseconds: UInt32, outcome: Outcome, participants: [Participant], debts: [Debt],
        browser: String, browserExplanation: String, shared: [Holder], provider: String,
        providerExplanation: String = "", rejected: [Rejection], restarts: UInt32, explanation: String,
        release: Release? = nil, browserChecks: [Holder] = [], tokens: [Tokens] = [],
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
}
