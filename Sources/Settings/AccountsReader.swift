import LocalAccounts
import SystemPackage
import Vocabulary

/// Reads the accounts of `identity` of the kind `local`: from their own file, or from the settings file's list if there is
/// no such file.
enum AccountsReader {
    static let keys: [SettingsKey] = [.identityAccounts, .identityLeastPINLength]

    /// - Parameter file: Nil: the accounts have no file of their own.
    static func read(from reader: inout SettingsReader, file: SettingsFile?) -> [LocalAccount] {
        let key = SettingsKey.identityAccounts
        let node = reader.structure(key)
        if let file {
            if let node, !node.isNull {
                reader.warn(
                    line: reader.line(of: key), key: key,
                    "has no effect, since the accounts are in \(file.path); delete it here")
            }
            let list = AccountsList(document: file.text)
            reader.adopt(
                faults: list.faults.map { SettingsFault($0, file: file.path.string) },
                warnings: list.warnings.map { SettingsFault($0, file: file.path.string) })
            return list.accounts
        }
        guard let node, !node.isNull else { return [] }
        let list = AccountsList(node, key: key.name)
        reader.adopt(
            faults: list.faults.map { SettingsFault($0, file: node.origin ?? reader.file) },
            warnings: list.warnings.map { SettingsFault($0, file: node.origin ?? reader.file) })
        return list.accounts
    }

    /// With a provider the file means nothing, and may be there for the day when it does again.
    static func ignore(_ file: SettingsFile?, in reader: inout SettingsReader) {
        guard let file else { return }
        let message = "has no effect, since \(SettingsKey.identityKind) is oidc; remove the file"
        reader.adopt(faults: [], warnings: [SettingsFault(origin: file.path.string, message: message)])
    }
}
