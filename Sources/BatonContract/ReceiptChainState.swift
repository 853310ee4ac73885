import DBus
public import Vocabulary

/// What is to be known of the whole chain of receipts.
public struct ReceiptChainState: ReportMessage, Hashable {
    public var deviceID = ""
    public var journalID = ""
    /// SubjectPublicKeyInfo in base64.
    public var publicKey = ""
    public var keyID = ""
    /// Empty: there is no entry yet.
    public var head = ""
    public var unchained: [Epoch] = []

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .value("device-id", \.deviceID),
        .value("journal-id", \.journalID),
        .value("public-key", \.publicKey, "SubjectPublicKeyInfo in base64"),
        .value("key", \.keyID, "its SHA-256"),
        .value("head", \.head, "sequence and SHA-256 of the newest entry, with a colon between them"),
        .value("unchained", \.unchained, "turns whose receipt has no entry"),
    ]
}
