import Glibc
public import SystemPackage
import Vocabulary

/// The file of the local accounts, beside the settings file, which `batonctl account` writes and batond reads.
///
/// As long as it is not there, the settings file's own list counts, `identity.accounts`. The first change takes the
/// accounts of that list over. From then on the list means nothing, even when an account is removed.
public struct AccountsFile: Sendable {
    public static let name = "accounts.yaml"

    public let path: FilePath
    private let settings: FilePath
    private let newMode: UInt32
    private let newGroup: UInt32?
    private let makesFolders: Bool

    /// The settings file still has a list that means nothing.
    public struct OldList: Sendable, Equatable {
        public let line: Int
        /// Whether this change took its accounts over.
        public let isMoved: Bool
    }

    /// - Parameters:
    ///   - settings: The settings file, which is read and never written.
    ///   - newMode: For an accounts file that does not exist yet, if the mode of the settings file is no example.
    ///   - newGroup: In the same way, its group; nil: that of the settings file.
    ///   - makesFolders: Adding the first account also makes the folders above the file, for this user alone: right for a
    ///     place that the caller did not have to spell.
    public init(
        beside settings: FilePath, newMode: UInt32 = 0o640, newGroup: UInt32? = nil, makesFolders: Bool = false
    ) {
        path = Self.path(beside: settings)
        self.settings = settings
        self.newMode = newMode
        self.newGroup = newGroup
        self.makesFolders = makesFolders
    }

    /// Where the accounts of a settings file are.
    public static func path(beside settings: FilePath) -> FilePath {
        settings.removingLastComponent().appending(name)
    }

    /// Adds an account; makes the file when there is none.
    @discardableResult
    public func add(_ account: LocalAccount) throws(Fault) -> OldList? {
        if makesFolders { try WholeFile(path: path).makeFolders() }
        return try change { (accounts, source) throws(Fault) in
            guard !accounts.contains(where: { $0.username == account.username }) else {
                throw .exists(path: source, username: account.username)
            }
            accounts.append(account)
        }
    }

    @discardableResult
    public func remove(_ username: String) throws(Fault) -> OldList? {
        try change { (accounts, source) throws(Fault) in
            accounts.remove(at: try Self.index(of: username, in: accounts, of: source))
        }
    }

    @discardableResult
    public func setPIN(_ username: String, _ hash: PINHash) throws(Fault) -> OldList? {
        try change { (accounts, source) throws(Fault) in
            let index = try Self.index(of: username, in: accounts, of: source)
            accounts[index] = accounts[index].with(hash)
        }
    }

    /// Changes an account, all but its user name and PIN.
    ///
    /// - Parameter edit: The fields of before in, those of now out.
    @discardableResult
    public func edit(
        _ username: String, _ edit: (LocalAccount) throws(LocalAccount.Fault) -> LocalAccount
    ) throws(Fault) -> OldList? {
        try change { (accounts, source) throws(Fault) in
            let index = try Self.index(of: username, in: accounts, of: source)
            do throws(LocalAccount.Fault) {
                accounts[index] = try edit(accounts[index])
            } catch {
                throw .content(path: source, line: 1, key: username, message: error.description)
            }
        }
    }

    private static func index(
        of username: String, in accounts: [LocalAccount], of source: String
    ) throws(Fault) -> Int {
        guard let index = accounts.firstIndex(where: { $0.username == username }) else {
            throw .unknown(path: source, username: username)
        }
        return index
    }

    /// The accounts in their order; none where there is no file.
    public func list() throws(Fault) -> [LocalAccount] {
        let old = try OldAccounts(try WholeFile(path: settings).read()?.text, path: settings)
        guard let file = try WholeFile(path: path).read() else { return try old.accounts() }
        return try accounts(file.text)
    }

    /// How many bytes a new PIN has at least, as the settings say. Where they say nothing that can be used, it is
    /// `PINHash.shortestPIN`.
    ///
    /// - Parameter mustExist: False: without the settings file it is `PINHash.shortestPIN`, too.
    public func leastPINLength(mustExist: Bool = false) throws(Fault) -> Int {
        let text = try WholeFile(path: settings).read()?.text
        if text == nil, mustExist { throw .system(path: settings.string, ENOENT) }
        guard let tree = wholeSettings(text ?? ""),
            let section = tree.pair(SettingsKey.identity.name)?.value,
            let least = section.pair(SettingsKey.identityLeastPINLength.leaf)?.value.text.flatMap({ Int($0) })
        else { return PINHash.shortestPIN }
        return least
    }

    /// With its drop-ins over it; what is wrong with one of them is batond's to say.
    private func wholeSettings(_ text: String) -> MarkedYAML? {
        let vendor = settings.string == "/etc/baton/baton.yaml" ? DropIns.vendor : nil
        let files = (try? DropIns.files(of: settings, vendor: vendor)) ?? []
        let texts = [text] + files.compactMap { try? WholeFile(path: $0).read()?.text }
        return texts.compactMap { try? MarkedYAML.parse($0) }.reduce(nil) { whole, tree in
            whole?.overlaid(by: tree) ?? tree
        }
    }

    private func accounts(_ text: String) throws(Fault) -> [LocalAccount] {
        let list = AccountsList(document: text)
        if let fault = list.faults.first { throw Fault(fault, path: path) }
        return list.accounts
    }

    /// - Parameter edit: Changes the accounts, which come from the file that is named.
    private func change(
        _ edit: (inout [LocalAccount], _ source: String) throws(Fault) -> Void
    ) throws(Fault) -> OldList? {
        var found: OldList?
        try WholeFile(path: path).change { (current) throws(Fault) in
            let settingsFile = try WholeFile(path: settings).read()
            let old = try OldAccounts(settingsFile?.text, path: settings)
            found = old.line.map { OldList(line: $0, isMoved: current == nil) }
            var accounts = if let current { try accounts(current.text) } else { try old.accounts() }
            try edit(&accounts, (current == nil && old.line != nil ? settings : path).string)
            let text = AccountsList.text(of: accounts)
            // What could not be read again must not take the place of what can.
            let again = AccountsList(document: text)
            guard again.faults.isEmpty, AccountsList.text(of: again.accounts).utf8.elementsEqual(text.utf8) else {
                throw .unusable(path: path.string)
            }
            let new = FileOwnership.ofAccounts(beside: settingsFile?.ownership, group: newGroup, mode: newMode)
            return WholeFile.Content(text: text, ownership: current?.ownership ?? new)
        }
        return found
    }
}
