public import DBus
public import Vocabulary

/// What an agent says of itself: the options of `org.baton.Device1.Agent.Register`.
public struct AgentRegistration: DictionaryMessage, Hashable {
    /// Sealed memory with what batond handed to the agent that it started; nil: another one started it.
    public var credential: OwnedDescriptor?
    /// The registrations whose processes it has hold of.
    public var watching: [Instance] = []
    /// The number of the contract between agent and batond; 0: the agent is older than this word.
    public var contract: UInt32 = 0

    /// Another one with each change of a message between the two.
    public static let contract: UInt32 = 3

    public init() {}

    /// Of an agent of this version.
    public init(watching: [Instance]) {
        self.watching = watching
        contract = Self.contract
    }

    public static let refusesUnknownKeys = true

    public static let fields: [MessageField<Self>] = [
        .descriptor(
            "credential", \.credential,
            "a sealed memfd with the bytes that batond handed to the agent it started; required of that agent only"),
        .value("watching", \.watching, "the registrations whose processes it watches"),
        .value("contract", \.contract, "the number of the contract of the two; an agent with another one is refused"),
    ]
}

/// The journal that an agent works for: the answer.
public struct AgentWelcome: DictionaryMessage, Hashable {
    /// Empty: batond cannot read its journal.
    public var journalID = ""
    public var journalBefore: String?

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .value("journal-id", \.journalID, "empty: the journal cannot be read"),
        .optional(
            "journal-before", \.journalBefore,
            "the journal whose open turn this one goes on with to end it; with an empty journal-id, the one that cannot be read; absent: none"
        ),
    ]
}
