package import SessionMachine
import Vocabulary

/// Records that the journal could not take, for when it can again: only what each epoch has one of. All the rest is in the
/// state, which is then written whole; kept here it would grow for as long as the disk is full.
///
/// No epoch begins while the journal is broken, so these are few.
package struct MissedRecords {
    private struct Key: Hashable {
        enum Kind { case began, clearing, ended, released, told }

        let kind: Kind
        let epoch: Epoch
    }

    private var keys: [Key] = []
    package private(set) var records: [Record] = []

    package init() {}

    package mutating func add(_ more: [Record]) {
        for record in more {
            guard let key = Self.key(record) else { continue }
            if let place = keys.firstIndex(of: key) {
                // What the provider was told gets better; of everything else the first is the one that holds.
                guard key.kind == .told else { continue }
                keys.remove(at: place)
                records.remove(at: place)
            }
            keys.append(key)
            records.append(record)
        }
    }

    private static func key(_ record: Record) -> Key? {
        switch record {
        case .began(let epoch, _, _): Key(kind: .began, epoch: epoch)
        case .clearing(let epoch, _, _): Key(kind: .clearing, epoch: epoch)
        case .ended(let receipt): Key(kind: .ended, epoch: receipt.epoch)
        case .released(let epoch, _): Key(kind: .released, epoch: epoch)
        case .told(let epoch, _): Key(kind: .told, epoch: epoch)
        case .device, .app, .registration, .entry, .rosterCleared, .barrier: nil
        }
    }
}
