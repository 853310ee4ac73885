import BatonContract
import DBus
import Journal
import ReceiptChain
import Supervisor
import Vocabulary

/// Answers `ExportReceipts`: a part of the chain of receipts, for administrators alone.
struct ReceiptExport {
    let context: CallContext

    /// As `ListReceipts` has it: what one answer carries of the journal, in bytes.
    private static let bytes = 2 << 20
    private static let most = 1000

    func answer(_ caller: Caller, _ options: VariantDictionary) async throws -> (
        [VariantDictionary], VariantDictionary
    ) {
        _ = try await context.administrator(caller, for: .readReceipts)
        let options = try ReceiptExportOptions(fromCaller: options)
        let start = try Self.start(options)
        let most = min(Int(clamping: options.entries ?? .max), Self.most)
        return try await context.reading.pass {
            // A caller that has left meanwhile is read nothing.
            try Task.checkCancellation()
            let journal = await context.supervisor.journal
            let page = try await Self.page(of: journal, start, most)
            var state = ReceiptChainState()
            state.deviceID = journal.deviceID
            state.journalID = journal.journalID
            state.publicKey = journal.receiptKey?.base64 ?? ""
            state.keyID = journal.receiptKey?.id ?? ""
            state.head = page.head?.text ?? ""
            state.unchained = page.unchained
            return (page.rows.map { ReceiptEntry($0).dictionary }, state.dictionary)
        }
    }

    private static func page(
        of journal: any LedgerStore, _ start: Journal.ChainStart, _ most: Int
    ) async throws -> Journal.ChainPage {
        do {
            return try await journal.receiptChain(start, most: most, bytes: bytes)
        } catch let fault as JournalFault {
            throw BatonError(.failed, "\(fault)")
        }
    }

    private static func start(_ options: ReceiptExportOptions) throws(BatonError) -> Journal.ChainStart {
        switch (options.after, options.epoch, options.time) {
        case (let after, nil, nil): .after(after ?? 0)
        case (nil, let epoch?, nil): .epoch(epoch)
        case (nil, nil, let time?): .time(time)
        default: throw BatonError(.invalidArgument, "Give one of the options 'after', 'epoch' and 'time'.")
        }
    }
}

extension ReceiptEntry {
    fileprivate init(_ row: Journal.ChainRow) {
        self.init()
        sequence = row.entry.sequence
        journalID = row.entry.journalID
        epoch = row.entry.epoch
        kind = row.entry.kind
        time = row.entry.time
        receiptHash = row.entry.receiptHash
        previous = row.entry.previous
        key = row.entry.keyID
        signature = row.entry.signature
        receipt = row.receipt
    }
}
