import Baton
import ReceiptChain

extension Text {
    // MARK: The chain of receipts

    enum Chain {
        static let keyIsNeeded =
            "--key is needed with --export: an export that vouches for itself proves nothing. `batonctl receipts key` prints it."
        static let noHead =
            "--head: a number, a colon and 64 hexadecimal digits, as BATON_RECEIPT_HEAD in batond's log."

        static func problem(_ problem: ReceiptKeyProblem) -> String {
            switch problem {
            case .isPrivate(let file):
                "\(file.printable) has a private key. Only batond may have it; give the public key, which "
                    + "`batonctl receipts key` prints."
            case .isNone(let text):
                "'\(text.printable)' is neither a file with an Ed25519 public key in PEM nor such a key in base64."
            case .unreadable(let file, let why): "\(file.printable): \(why.printable)"
            }
        }

        static func exported(_ count: Int, to file: String, last: UInt64, head: String) -> String {
            guard count > 0 else { return "There are no such entries. \(file.printable) is empty." }
            let isWhole = head.hasPrefix("\(last):")
            return "Exported \(count == 1 ? "1 entry" : "\(count) entries") to \(file.printable)."
                + (isWhole ? "\nHead: \(head.printable)" : "")
        }

        static func unchained(_ epochs: [Epoch]) -> String {
            let turns = epochs.map(\.description).joined(separator: ", ")
            return "Receipts without an entry in the chain, which batond did not write: turn \(turns)."
        }

        // MARK: What verify says

        static func report(_ report: VerificationReport) -> String {
            guard let findings = report.findings else { return report.fault?.text ?? "" }
            let (first, last) = (findings.first, findings.head.sequence)
            let entries = first == last ? "Entry \(first) is" : "Entries \(first) to \(last) are"
            var lines = [
                "\(entries) as batond signed them: none is changed, missing or out of order.",
                "From \(LocalTime.standard.text(findings.firstTime)) to \(LocalTime.standard.text(findings.lastTime))",
            ]
            lines += findings.journals.map { "Journal: \($0)" } + findings.keys.map { "Key: \($0)" }
            lines.append("Head: \(findings.head.text)")
            if !report.unchecked.isEmpty {
                lines.append("Not checked:")
                lines += report.unchecked.map { "  \($0)" }
            }
            return lines.joined(separator: "\n")
        }

        static func unchecked(_ findings: ChainFindings, isKeyFromDevice: Bool) -> [String] {
            var lines: [String] = []
            if isKeyFromDevice {
                lines.append("The key: batond itself told it. Give a copy that was kept elsewhere with --key.")
            }
            if findings.first > 1 {
                lines.append("All before entry \(findings.first): it was not exported, or is no longer kept.")
            }
            switch findings.end {
            case .unchecked:
                lines.append("The end: newer entries may have been cut off. Give a published head with --head.")
            case .reached(after: 0): lines.append("What was written after the published head.")
            case .reached:
                lines.append("The end: entries newer than those behind the published head may have been cut off.")
            }
            if findings.found > 0 {
                let receipts = findings.found == 1 ? "a receipt" : "\(findings.found) receipts"
                lines.append(
                    "What \(receipts) said before \(LocalTime.standard.text(findings.foundAt)), when the chain began.")
            }
            if findings.pruned > 0 {
                let receipts = findings.pruned == 1 ? "A receipt" : "\(findings.pruned) receipts"
                lines.append("\(receipts) of which only the entry is left: the settings limit how long they are kept.")
            }
            return lines
        }

        /// - Parameter hasLines: What was read is a file.
        static func fault(_ fault: ChainFault, hasLines: Bool) -> String {
            let line = hasLines ? ", line \(fault.place)" : ""
            let entry = "ntry \(fault.sequence) (turn \(fault.epoch)\(line))"
            switch fault.kind {
            case .malformed:
                return
                    "Line \(fault.place) is no entry of a chain of receipts: it was changed, or the end was cut off there."
            case .otherKey(let id):
                return "E\(entry) is signed with another key, \(id.printable): it is forged, or the device's key was"
                    + " replaced. If you trust that key, give it with a second --key."
            case .changed: return "E\(entry) was changed or forged: its signature is not of what stands there."
            case .receiptChanged: return "The receipt of e\(entry) was changed: it is not the text that was signed."
            case .receiptMissing: return "The receipt of e\(entry) was deleted."
            case .missing(let from):
                let last = fault.sequence - 1
                let missing = from >= last ? "Entry \(from) is" : "Entries \(from) to \(last) are"
                return "\(missing) missing before e\(entry): deleted."
            case .outOfOrder(let last):
                return "E\(entry) stands behind entry \(last): reordered or inserted."
            case .notFollowing:
                return "E\(entry) does not follow what stands before it: one of the two belongs to another chain, as"
                    + " where a copy of the journal was put back."
            case .otherHead:
                return
                    "E\(entry) is not the one that was published: the chain was replaced, or a copy of the journal was put"
                    + " back."
            case .cutOff(let head):
                return fault.sequence == 0
                    ? "There is no entry, and entry \(head) was published: all of it was cut off."
                    : "The chain ends with entry \(fault.sequence), and entry \(head) was published: the end was cut off."
            case .begunAfterHead(let head):
                return
                    "The chain begins behind entry \(head), which was published, so the two cannot be compared. Give a newer"
                    + " head, or an export that begins earlier."
            case .empty: return "There is no entry."
            case .unchained:
                return "The receipt of turn \(fault.epoch) has no entry in the chain: batond did not write it."
            }
        }

        /// For programs.
        static func kind(_ kind: ChainFault.Kind) -> String {
            switch kind {
            case .malformed: "malformed"
            case .otherKey: "other-key"
            case .changed: "changed"
            case .receiptChanged: "receipt-changed"
            case .receiptMissing: "receipt-missing"
            case .missing: "missing"
            case .outOfOrder: "out-of-order"
            case .notFollowing: "not-following"
            case .otherHead: "other-head"
            case .cutOff: "cut-off"
            case .begunAfterHead: "begun-after-head"
            case .empty: "empty"
            case .unchained: "unchained"
            }
        }
    }
}

extension Text.Help {
    static let receipts = "Shows, exports and verifies the receipts of the sign-outs."
    static let showReceipts = "Shows the receipts of the sign-outs."
    static let exportReceipts = "Writes receipts with their hashes and signatures, for a log store; for administrators."
    static let exportDiscussion = """
        Each line is a JSON object: an entry of the chain of receipts. The receipt is a text in it, exactly as batond signed \
        it. `batonctl receipts verify --export` checks such a file on any machine.
        """
    static let since =
        "Begin with this turn, or at this local time (2026-11-22, '2026-11-22 06:00'; with Z at the end, UTC)."
    static let exportFormat = "jsonl: a JSON object a line."
    static let exportOutput = "The file to write, for its owner alone; -: standard output."
    static let verifyReceipts = "Checks that receipts are as batond signed them."
    static let verifyDiscussion = """
        Finds receipts that were changed, deleted, reordered, inserted or forged, and says which is the first. Only a head that was \
        kept elsewhere shows that none was cut off at the end: BATON_RECEIPT_HEAD in batond's log. With --export it needs no \
        batond. Without it, it reads the receipts of this device, for administrators.

        Exit codes: 0 all that was looked at is unchanged; 1 something is wrong, or cannot be read; 64 wrong usage.
        """
    static let verifiedExport = "What `batonctl receipts export` wrote; -: standard input."
    static let verifyingKey =
        "The public key, as `batonctl receipts key` prints it or as batond's log has it; may be repeated where the key was replaced."
    static let publishedHead = "The newest entry at a time, as batond's log has it."
    static let receiptKey = "Prints the public key that shows who signed the receipts; for administrators."
}
