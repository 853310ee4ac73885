import Crypto
import FoundationEssentials
import Journal
import SessionMachine
import Vocabulary

/// batond's own word that a turn has begun, which it hands to the apps with the account, and knows again whatever became of its
/// journal.
///
/// A state folder that is put back whole looks right in itself. An app that was in a later turn holds this word of it, and shows
/// it when it registers again: that is what its registration is a clue by.
///
/// Only batond can make one, with a key that is made once for a device and stays in the state folder, so that a copy of the folder
/// knows it too. A number that an app invents, the word of another boot or of another device, and a word that was changed say
/// nothing, and are not even refused: where the key was lost, honest apps hold words that batond cannot judge.
///
/// A right one says nothing either where the journal knows a turn of that number or a later one. So each turn that was
/// forgotten can quarantine the device once, and only in the boot in which it began: a process that copies such a word
/// from a signal, as all processes of the kiosk user may, can say with it what is true and no more. Where that user owns the
/// bus and batond, as on a session bus, they can read the key as well, and could as well remove the journal.
///
/// What it does not find: a state folder that is lost with its key, and apps that show nothing. Those must clear, since the
/// journal that follows is another.
struct TurnSeal: Sendable {
    private let key: SymmetricKey
    private let bootID: String

    /// Longer ones are none.
    private static let longest = 160

    /// Nil: without a key, or a name for this boot, there is nothing to be known again by.
    init?(key: String, bootID: String) {
        guard !key.isEmpty, !bootID.isEmpty else { return nil }
        self.key = SymmetricKey(data: Array(key.utf8))
        self.bootID = bootID
    }

    /// Nil where it is not known when the turn began in this boot.
    func text(of turn: Ledger.TurnRecord) -> String? {
        guard let began = turn.began, began.bootID == bootID, let boottime = began.boottime else { return nil }
        let words = "\(turn.epoch).\(began.wall).\(boottime)"
        let code = HMAC<SHA256>.authenticationCode(for: message(words), using: key)
        return "\(words).\(code.map { Self.hexadecimal($0) }.joined())"
    }

    /// The turn of which that is batond's word; nil: it is not.
    func mark(of text: String) -> EpochMark? {
        guard text.utf8.count <= Self.longest else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let epoch = Epoch(parts[0]), let wall = Int64(parts[1]),
            let boottime = UInt64(parts[2]), epoch <= EpochMark.greatest, let code = Self.bytes(parts[3]),
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: message(parts[..<3].joined(separator: ".")), using: key)
        else { return nil }
        return EpochMark(epoch, .begun, begin: Ledger.Begin(wall: wall, boottime: boottime, bootID: bootID))
    }

    private func message(_ words: String) -> [UInt8] { Array("turn \(bootID) \(words)".utf8) }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count == 64, text.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}
