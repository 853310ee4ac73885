import Glibc
import ReceiptChain
import Secrets

extension StateFolder {
    /// The key of the receipts, where no credential has it.
    var receiptKey: String { path + "/receipts-key" }

    /// The key of this device, which outlives the journal; made at the first start.
    ///
    /// A file that holds none is put aside: what it was may be wanted when the older receipts are looked at.
    /// - Throws: When it cannot be read or made. Receipts without a signature would look like those that another program wrote.
    func readOrMakeReceiptKey(_ notices: inout [String]) throws(JournalFault) -> ReceiptKey {
        let file = receiptKey
        if let bytes = try Self.read(file, limit: 4096) {
            var status = stat()
            if lstat(file, &status) == 0, status.st_mode & 0o077 != 0 {
                notices.append("\(file): other users may read the key of the receipts; chmod 0600 \(file)")
            }
            if let key = ReceiptKey(Secret(bytes)) { return key }
            guard rename(file, file + ".unusable") == 0 else {
                throw JournalFault(.notWritten, file, "it is no key, and cannot be moved: \(Self.reason())")
            }
            notices.append("\(file): not an Ed25519 key in PEM; it is moved to \(file).unusable")
        }
        let key = ReceiptKey()
        try replace(file, with: key.pem.text)
        return key
    }
}
