import DBus
public import Vocabulary

/// The app that `Contain` ends.
public struct ContainmentOrder: DictionaryMessage, Hashable {
    public var app = ""
    /// The settings say where its data lies.
    public var isListed = false
    /// The registrations whose processes are to end, with all that they started.
    public var instances: [Instance] = []
    /// Folders that are emptied.
    public var wipe: [String] = []
    /// What is left in them.
    public var keep: [String] = []
    public var limit = Duration.seconds(4)

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .required("id", \.app),
        .required("listed", \.isListed),
        .required("instances", \.instances),
        .value("wipe", \.wipe, "directories"),
        .value("keep", \.keep, "paths to leave in them"),
        .duration("limit", \.limit, "microseconds that it may take"),
    ]
}

/// What came of it.
public struct ContainmentResult: DictionaryMessage, Hashable {
    public var outcome = ContainmentOutcome.failed
    /// Nil: nothing was ended.
    public var proof: Proof?
    public var explanation = ""

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .word("outcome", \.outcome),
        .wordOrEmpty("proof", \.proof),
        .text("explanation", \.explanation, atMost: 1024),
    ]
}
