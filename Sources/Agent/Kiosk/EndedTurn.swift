import BatonContract
import Presentation
import Vocabulary

/// What the start page says of the turn before, for as long as its worker may still stand there.
struct EndedTurn: Sendable, Equatable, Encodable {
    /// As people know them; empty: it is not known.
    var name: String
    var outcome: String
    /// What was not looked at, each by the name of its text.
    var unchecked: [String]

    /// The page itself, and what only concerns the provider, hold nothing of the worker's.
    private static let others: Set<String> = [KioskBrowsers.startPage, KioskBrowsers.providerPage]

    init(_ name: String, _ receipt: Receipt) {
        self.name = name
        outcome = receipt.outcome.rawValue
        var rows = (receipt.browserChecks + receipt.shared).filter {
            $0.outcome == .unchecked && !Self.others.contains($0.holder)
        }.map(\.holder)
        if receipt.browser == .unchecked, receipt.browserChecks.isEmpty { rows.insert("browser", at: 0) }
        unchecked = rows.map { ReceiptPlace(row: $0).rawValue }.reduce(into: []) { all, one in
            if !all.contains(one) { all.append(one) }
        }
    }
}
