import DBus
public import Vocabulary

/// One entry of the chain of receipts: what batond signed of a receipt as it stood at a time.
///
/// `docs/administering.md` has the lines that are signed.
public struct ReceiptEntry: ReportMessage, Hashable {
    /// From 1; 0: it could not be read.
    public var sequence: UInt64 = 0
    public var journalID = ""
    public var epoch: Epoch = 0
    /// A newer version may have more of them than the manual names.
    public var kind = ""
    /// Unix time in microseconds.
    public var time: Int64 = 0
    /// In hexadecimal, as the hashes below.
    public var receiptHash = ""
    public var previous = ""
    public var key = ""
    /// In base64.
    public var signature = ""
    /// Nil: it is no longer kept.
    public var receipt: String?

    public init() {}

    public static let fields: [MessageField<Self>] = [
        .value("sequence", \.sequence, "from 1, without a gap"),
        .value("journal-id", \.journalID),
        .value("epoch", \.epoch),
        .value("kind", \.kind, "ended, released, told, found, pruned"),
        .value("time", \.time),
        .value("receipt-sha256", \.receiptHash),
        .value("previous", \.previous, "SHA-256 of the entry before"),
        .value("key", \.key, "SHA-256 of the public key"),
        .value("signature", \.signature, "Ed25519, in base64"),
        .optional("receipt", \.receipt, "the receipt in JSON as it was signed; absent: no longer kept"),
    ]
}
