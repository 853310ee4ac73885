import Journal
import ReceiptChain
import Vocabulary

extension Journal {
    /// The whole chain, in pages of two entries.
    func wholeChain() async throws -> [ChainRow] {
        var rows: [ChainRow] = []
        while true {
            let page = try await chain(.after(rows.last?.entry.sequence ?? 0), most: 2, bytes: .max)
            if page.rows.isEmpty { return rows }
            rows += page.rows
        }
    }

    var kinds: [String] { get async throws { try await wholeChain().map(\.entry.kind) } }

    /// - Parameter keys: Nil: this journal's own.
    func verified(_ keys: [ReceiptPublicKey]? = nil, published: ChainHead? = nil) async throws -> ChainFindings {
        var verifier = ChainVerifier(keys: keys ?? receiptKey.map { [$0] } ?? [], published: published)
        for row in try await wholeChain() { try verifier.add(row.entry, receipt: row.receipt) }
        return try verifier.end()
    }

    func fault(_ keys: [ReceiptPublicKey]? = nil, published: ChainHead? = nil) async throws -> ChainFault.Kind? {
        do {
            _ = try await verified(keys, published: published)
            return nil
        } catch let fault as ChainFault {
            return fault.kind
        }
    }
}
