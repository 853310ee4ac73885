import ReceiptChain
import Vocabulary

/// A chain of some receipts, as batond would have signed it.
struct SampleChain {
    let key: ReceiptKey
    var rows: [(entry: ChainEntry, receipt: String?)] = []

    static let journal = "0123456789abcdef0123456789abcdef"

    init(_ count: Int, key: ReceiptKey = ReceiptKey()) throws {
        self.key = key
        for number in 0..<count { try add(Epoch(clamping: Int64(number) + 100)) }
    }

    /// - Parameter previous: What the entry claims to follow; nil: the last one.
    mutating func add(
        _ epoch: Epoch, _ kind: ChainEntry.Kind = .ended, receipt: String? = nil, previous: String? = nil,
        journal: String = SampleChain.journal
    ) throws {
        let text = receipt ?? #"{"epoch":\#(epoch)}"#
        let entry = try key.signed(
            ChainEntry(
                sequence: (rows.last?.entry.sequence ?? 0) + 1, journalID: journal, epoch: epoch, kind: kind.rawValue,
                time: 1_790_000_000_000_000, receiptHash: ChainEntry.hash(ofReceipt: text),
                previous: previous ?? rows.last?.entry.hash ?? ChainEntry.beginning, keyID: ""))
        rows.append((entry, kind == .pruned ? nil : text))
    }

    var head: ChainHead? { rows.last?.entry.head }

    func verified(_ keys: [ReceiptPublicKey]? = nil, published: ChainHead? = nil) throws(ChainFault) -> ChainFindings {
        var verifier = ChainVerifier(keys: keys ?? [key.publicKey], published: published)
        for row in rows { try verifier.add(row.entry, receipt: row.receipt) }
        return try verifier.end()
    }

    /// Nil: nothing is wrong.
    func fault(_ keys: [ReceiptPublicKey]? = nil, published: ChainHead? = nil) -> ChainFault? {
        do throws(ChainFault) {
            _ = try verified(keys, published: published)
            return nil
        } catch {
            return error
        }
    }
}
