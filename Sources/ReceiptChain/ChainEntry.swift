import Crypto
public import Vocabulary

/// One link of the chain of receipts: what batond signs of a receipt as it stood at a time.
///
/// Hashes and signature are the texts that travel, so that the journal, the bus, an export and the signed lines say the
/// same. They may be anything until `isWellFormed` has looked.
public struct ChainEntry: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A sign-out has ended with this receipt.
        case ended
        /// The receipt says since then how its quarantine ended.
        case released
        /// The receipt says since then what became of the sign-in at the provider.
        case told
        /// The receipt was there when the chain began. What it said before that is not known.
        case found
        /// The device no longer keeps the receipt, as its settings say.
        case pruned
    }

    /// What `previous` is in the first entry of all.
    public static let beginning = String(repeating: "0", count: 64)
    /// The first line of what is signed: another purpose, or another form, has another line.
    public static let form = "org.baton.receipt-chain 1"
    /// Programs that hold numbers in floating point still know it exactly; a device signs out less often.
    public static let greatestSequence: UInt64 = 1 << 53

    /// Counts up from 1.
    public var sequence: UInt64
    /// The journal that the receipt was written to; another one after an older copy was put back.
    public var journalID: String
    /// The turn.
    public var epoch: Epoch
    /// One of `Kind`, or of a newer version.
    public var kind: String
    /// Unix time in microseconds.
    public var time: Int64
    /// SHA-256 of the receipt's text in hexadecimal; of a pruned one, what the entry before said.
    public var receiptHash: String
    /// The hash of the entry before.
    public var previous: String
    /// The id of the key that has signed.
    public var keyID: String
    /// 64 bytes in base64.
    public var signature: String

    public init(
        sequence: UInt64, journalID: String, epoch: Epoch, kind: String, time: Int64, receiptHash: String,
        previous: String, keyID: String, signature: String = ""
    ) {
        self.sequence = sequence
        self.journalID = journalID
        self.epoch = epoch
        self.kind = kind
        self.time = time
        self.receiptHash = receiptHash
        self.previous = previous
        self.keyID = keyID
        self.signature = signature
    }

    /// What is signed: nine lines, each with an end.
    public var message: [UInt8] {
        Array(
            """
            \(Self.form)
            journal \(journalID)
            sequence \(sequence)
            epoch \(epoch)
            kind \(kind)
            time \(time)
            receipt \(receiptHash)
            previous \(previous)
            key \(keyID)

            """.utf8)
    }

    /// SHA-256 of `message` and a line with the signature: what the next entry has as `previous`.
    public var hash: String { Hexadecimal.text(SHA256.hash(data: message + Array("signature \(signature)\n".utf8))) }

    public var head: ChainHead { ChainHead(sequence: sequence, hash: hash) }

    /// Nothing in it could be taken for another line, and each value has one text.
    public var isWellFormed: Bool {
        (1...Self.greatestSequence).contains(sequence) && epoch <= .greatest
            && journalID.utf8.count == 32 && Hexadecimal.isHexadecimal(journalID)
            && (1...16).contains(kind.utf8.count) && kind.utf8.allSatisfy { (0x61...0x7A).contains($0) }
            && [receiptHash, previous, keyID].allSatisfy { $0.utf8.count == 64 && Hexadecimal.isHexadecimal($0) }
            && Base64.bytes(signature, count: 64) != nil
    }

    /// SHA-256 of a receipt's text in hexadecimal.
    public static func hash(ofReceipt text: String) -> String { Hexadecimal.text(SHA256.hash(data: Array(text.utf8))) }
}
