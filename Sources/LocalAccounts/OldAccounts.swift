import SystemPackage
import Vocabulary

/// What the settings file itself says of local accounts: their kind, and the list from before they had a file of their
/// own.
struct OldAccounts {
    private let path: FilePath
    private let list: MarkedYAML.Pair?

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
            list = nil
            return
        }
        guard case .map = tree.content else { throw fault(tree.line, nil, "the file must consist of keys") }
        let identity = tree.pair(SettingsKey.identity.name)
        if let identity, !identity.value.isNull {
            guard case .map = identity.value.content else {
                throw fault(identity.line, SettingsKey.identity.name, "must be a section of keys")
            }
        }
        if let kind = identity?.value.pair(SettingsKey.identityKind.leaf),
            kind.value.text.flatMap(IdentityKind.init(rawValue:)) != .local
        {
            throw fault(
                kind.line, SettingsKey.identityKind.name,
                "is not \(IdentityKind.local.rawValue), so this device has no accounts of its own")
        }
        list = identity?.value.pair(SettingsKey.identityAccounts.leaf).flatMap { $0.value.isNull ? nil : $0 }
    }

    /// The line of the list; nil: there is none.
    var line: Int? { list?.line }

    func accounts() throws(AccountsFile.Fault) -> [LocalAccount] {
        guard let list else { return [] }
        let read = AccountsList(list.value, key: SettingsKey.identityAccounts.name)
        if let fault = read.faults.first { throw AccountsFile.Fault(fault, path: path) }
        return read.accounts
    }
}
