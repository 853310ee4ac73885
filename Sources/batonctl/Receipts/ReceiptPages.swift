import Baton

/// The chain of receipts as batond has it now, page by page.
struct ReceiptPages {
    let device: Device

    /// - Parameter body: Is given each entry, in the order of batond.
    /// - Returns: What the last page says of the whole chain.
    func read(
        _ options: ReceiptExportOptions, _ body: (ReceiptEntry) throws -> Void
    ) async throws -> ReceiptChainState {
        var options = options
        var last: UInt64 = 0
        while true {
            let (entries, chain) = try await device.exportReceipts(options)
            for entry in entries { try body(entry) }
            // One that does not count up would be asked for again and again.
            guard let sequence = entries.last?.sequence, sequence > last else { return chain }
            last = sequence
            options = ReceiptExportOptions()
            options.after = sequence
        }
    }
}
