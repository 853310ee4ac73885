import SystemPackage
import Vocabulary

/// What the settings file itself says of local accounts: their kind, and the list from before they had a file of their
/// own.
struct OldAccounts {
    private let path: FilePath
    private let list: MarkedYAML?
    /// The line of the list; nil: there is none.
    let line: Int?

    /// - Parameter text: Nil: there is no settings file.
    init(_ text: String?, path: FilePath) throws(AccountsFile.Fault) {
        self.path = path
        func fault(_ line: Int?, _ key: String?, _ message: String) -> AccountsFile.Fault {
            .content(path: path.string, line: line ?? 1, key: key, message: message)
        }
        let tree: MarkedYAML?
        do throws(MarkedYAML.Faults) {
            tree = try MarkedYAML.parse(text ?? "")
        } catch {
            throw fault(error.all.first?.line, error.all.first?.key, error.all.first?.message ?? "not YAML")
        }
        guard let tree else {
            (list, line) = (nil, nil)
            return
        }
        guard case .map = tree.content else { throw fault(tree.line, nil, "the file must consist of keys") }
        guard let identity = tree.pair(SettingsKey.identity.name), !identity.value.isNull else {
            (list, line) = (nil, nil)
            return
        }
        guard case .map = identity.value.content else {
            throw fault(identity.line, SettingsKey.identity.name, "must be a section of keys")
        }
        if let kind = identity.value.pair(SettingsKey.identityKind.leaf),
            kind.value.text != IdentityKind.local.rawValue
        {
            throw fault(
                kind.line, SettingsKey.identityKind.name,
                "is not \(IdentityKind.local.rawValue), so this device has no accounts of its own")
        }
        guard let accounts = identity.value.pair(SettingsKey.identityAccounts.leaf), !accounts.value.isNull else {
            (list, line) = (nil, nil)
            return
        }
        (list, line) = (accounts.value, accounts.line)
    }

    func accounts() throws(AccountsFile.Fault) -> [LocalAccount] {
        guard let list else { return [] }
        let read = AccountsList(list, key: SettingsKey.identityAccounts.name)
        if let fault = read.faults.first { throw AccountsFile.Fault(fault, path: path) }
        return read.accounts
    }
}
