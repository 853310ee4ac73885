import Baton
import ReceiptChain

extension ChainEntry {
    /// As it came from the bus or from an export: anything, until it is looked at.
    init(_ entry: ReceiptEntry) {
        self.init(
            sequence: entry.sequence, journalID: entry.journalID, epoch: entry.epoch, kind: entry.kind,
            time: entry.time, receiptHash: entry.receiptHash, previous: entry.previous, keyID: entry.key,
            signature: entry.signature)
    }
}
