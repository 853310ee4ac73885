import Vocabulary

/// Looks at the entries of a chain, one after the other in the order in which they come, with public keys alone.
///
/// It stops at the first fault: what comes behind it proves nothing.
public struct ChainVerifier: Sendable {
    private static let mostJournals = 100

    private let keys: [String: ReceiptPublicKey]
    private let published: ChainHead?
    private var findings = ChainFindings()
    private var last: ChainEntry?
    private var place = 0
    /// Entries without their receipt, by the turn, until one says that it is no longer kept.
    private var missing: [Epoch: ChainFault] = [:]

    /// - Parameter published: A head that was kept elsewhere; nil: none, so the end cannot be looked at.
    public init(keys: [ReceiptPublicKey], published: ChainHead?) {
        self.keys = Dictionary(keys.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.published = published
    }

    /// - Parameter receipt: The receipt's text; nil: it is not there.
    public mutating func add(_ entry: ChainEntry, receipt: String?) throws(ChainFault) {
        place += 1
        let place = place
        func fault(_ kind: ChainFault.Kind) -> ChainFault {
            ChainFault(kind, place: place, sequence: entry.sequence, epoch: entry.epoch)
        }
        guard entry.isWellFormed else { throw fault(.malformed) }
        guard let key = keys[entry.keyID] else { throw fault(.otherKey(entry.keyID)) }
        guard key.hasSigned(entry) else { throw fault(.changed) }
        if let last {
            guard entry.sequence > last.sequence else { throw fault(.outOfOrder(after: last.sequence)) }
            guard entry.sequence == last.sequence + 1 else { throw fault(.missing(from: last.sequence + 1)) }
            guard entry.previous == last.hash else { throw fault(.notFollowing) }
        } else if entry.sequence == 1, entry.previous != ChainEntry.beginning {
            throw fault(.notFollowing)
        }
        if let published, entry.sequence == published.sequence, entry.hash != published.hash { throw fault(.otherHead) }
        if entry.kind == ChainEntry.Kind.pruned.rawValue {
            missing[entry.epoch] = nil
        } else if let receipt {
            guard ChainEntry.hash(ofReceipt: receipt) == entry.receiptHash else { throw fault(.receiptChanged) }
        } else {
            missing[entry.epoch] = missing[entry.epoch] ?? fault(.receiptMissing)
        }
        note(entry)
    }

    private mutating func note(_ entry: ChainEntry) {
        if last == nil {
            findings.first = entry.sequence
            findings.firstTime = entry.time
        }
        last = entry
        findings.entries += 1
        findings.lastTime = entry.time
        if findings.journals.last != entry.journalID, findings.journals.count < Self.mostJournals {
            findings.journals.append(entry.journalID)
        }
        if !findings.keys.contains(entry.keyID) { findings.keys.append(entry.keyID) }
        switch ChainEntry.Kind(rawValue: entry.kind) {
        case .found:
            findings.found += 1
            findings.foundAt = entry.time
        case .pruned: findings.pruned += 1
        case .ended, .released, .told, nil: break
        }
    }

    /// When there are no more entries.
    public func end() throws(ChainFault) -> ChainFindings {
        guard let last else {
            guard let published else { throw ChainFault(.empty, place: 0) }
            throw ChainFault(.cutOff(head: published.sequence), place: 0)
        }
        if let first = missing.values.min(by: { $0.place < $1.place }) { throw first }
        var findings = findings
        findings.head = last.head
        guard let published else { return findings }
        func fault(_ kind: ChainFault.Kind) -> ChainFault {
            ChainFault(kind, place: place, sequence: last.sequence, epoch: last.epoch)
        }
        guard published.sequence <= last.sequence else { throw fault(.cutOff(head: published.sequence)) }
        guard published.sequence >= findings.first else { throw fault(.begunAfterHead(published.sequence)) }
        findings.end = .reached(after: last.sequence - published.sequence)
        return findings
    }
}
