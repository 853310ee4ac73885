import BatonContract
package import DBus
import Synchronization

/// The details of errors that apps were told, until they ask for them. A connection can ask for its own alone.
package final class ErrorDetails: Sendable {
    private struct Entry {
        var sender: BusName
        var id: String
        var details: VariantDictionary
    }

    private static let mostForSender = 8
    private static let most = 128
    private let entries = Mutex<[Entry]>([])

    package init() {}

    /// The newest count.
    func keep(_ details: VariantDictionary, _ id: String, for sender: BusName) {
        entries.withLock { entries in
            entries.removeAll { $0.sender == sender && $0.id == id }
            if entries.count(where: { $0.sender == sender }) >= Self.mostForSender,
                let oldest = entries.firstIndex(where: { $0.sender == sender })
            {
                entries.remove(at: oldest)
            }
            if entries.count >= Self.most { entries.removeFirst() }
            entries.append(Entry(sender: sender, id: id, details: details))
        }
    }

    func details(_ id: String, for sender: BusName) throws(BatonError) -> VariantDictionary {
        let entry = entries.withLock { $0.first { $0.sender == sender && $0.id == id } }
        guard let entry else {
            throw BatonError(
                .invalidArgument,
                "No error of this connection has that correlation id. The newest \(Self.mostForSender) are kept.")
        }
        return entry.details
    }

    package func left(_ sender: BusName) {
        entries.withLock { $0.removeAll { $0.sender == sender } }
    }
}
