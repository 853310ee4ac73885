import ReceiptChain
import SystemPackage

/// Why what follows `--key` is no public key.
enum ReceiptKeyProblem: Error {
    case isPrivate(String)
    case isNone(String)
    case unreadable(String, String)
}

extension ReceiptPublicKey {
    /// - Parameter argument: A file, or the key in base64 as batond's log has it.
    init(argument: String) throws(ReceiptKeyProblem) {
        if let key = ReceiptPublicKey(text: argument) {
            self = key
            return
        }
        let text: String?
        do {
            text = try TextFile.read(FilePath(argument))
        } catch {
            throw .unreadable(argument, "\(error)")
        }
        guard let text else { throw .isNone(argument) }
        guard !ReceiptPublicKey.isPrivate(text) else { throw .isPrivate(argument) }
        guard let key = ReceiptPublicKey(text: text) else { throw .isNone(argument) }
        self = key
    }
}
