import BatonContract
import Glibc
import ReceiptChain
import Settings
import SystemPackage

extension DaemonOptions {
    /// The name of systemd's credential with the key of the receipts.
    static let receiptKeyCredential = "baton-receipts-key"

    /// The key that the unit hands over; nil if it hands over none: then the state folder has it.
    ///
    /// - Throws: When there is one that cannot be used: a key of batond's own in its place would be another than the
    ///   administrator has given away.
    func receiptKey() throws(DaemonFault) -> ReceiptKey? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"] else { return nil }
        let path = FilePath(folder).appending(Self.receiptKeyCredential)
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return nil }
        do throws(SettingsFault) {
            if let key = ReceiptKey(try CredentialFile(path: path, keeper: .systemd).read()) { return key }
        } catch {
            throw .settings([SettingsCheck.Remark(error)])
        }
        let text = "\(path): not an Ed25519 key in PEM, as openssl genpkey -algorithm ed25519 makes it"
        throw .settings([SettingsCheck.Remark(text: text, origin: path.string)])
    }
}
