import Baton
import ReceiptChain

@testable import BatonctlProgram

/// What `batonctl receipts export` writes of some turns.
struct ExportSample {
    let key = ReceiptKey()
    var lines: [String] = []
    private(set) var last: ChainEntry?

    init(_ count: Int) throws {
        for number in 0..<count { try add(Epoch(clamping: Int64(number) + 100)) }
    }

    mutating func add(_ epoch: Epoch, _ kind: ChainEntry.Kind = .ended, signedBy other: ReceiptKey? = nil) throws {
        let text = #"{"epoch":\#(epoch),"holder":{"attributes":{"name":"Ana \"H\" Čović"}}}"#
        let entry = try (other ?? key).signed(
            ChainEntry(
                sequence: (last?.sequence ?? 0) + 1, journalID: String(repeating: "a1", count: 16), epoch: epoch,
                kind: kind.rawValue, time: 1_790_000_000_000_000, receiptHash: ChainEntry.hash(ofReceipt: text),
                previous: last?.hash ?? ChainEntry.beginning, keyID: ""))
        last = entry
        var message = ReceiptEntry()
        message.sequence = entry.sequence
        message.journalID = entry.journalID
        message.epoch = entry.epoch
        message.kind = entry.kind
        message.time = entry.time
        message.receiptHash = entry.receiptHash
        message.previous = entry.previous
        message.key = entry.keyID
        message.signature = entry.signature
        message.receipt = kind == .pruned ? nil : text
        lines.append(try JSONOutput.line(message))
    }

    var text: String { lines.map { $0 + "\n" }.joined() }
    var head: String { last?.head.text ?? "" }
}
