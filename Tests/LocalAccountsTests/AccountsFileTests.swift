import FolderTesting
import Glibc
import SystemPackage
import Testing

@testable import LocalAccounts

@Suite struct AccountsFileTests {
    func ana() throws -> LocalAccount { try LocalAccount(username: "ana", name: "Ana", pin: try hash("4711")) }

    func accounts(_ folder: TemporaryFolder, mode: UInt32 = 0o640) -> AccountsFile {
        AccountsFile(beside: folder.filePath("baton.yaml"), newMode: mode)
    }

    @Test func `a new file is made for its group only, with nothing beside it`() throws {
        let folder = try TemporaryFolder("accounts")
        #expect(try accounts(folder).add(ana()) == nil)
        #expect(folder.mode(of: "accounts.yaml") == 0o640)
        #expect(folder.names == ["accounts.yaml"])
        #expect(try folder.read().contains("username: \"ana\""))
    }

    @Test(arguments: [0o600, 0o640, 0o444, 0o660] as [mode_t]) func `the mode stays`(mode: mode_t) throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file("accounts: []\n", as: "accounts.yaml", mode: mode)
        let file = accounts(folder)
        try file.add(ana())
        try file.setPIN("ana", try hash("4712"))
        #expect(try file.list().map(\.username) == ["ana"])
        try file.remove("ana")
        #expect(folder.mode(of: "accounts.yaml") == mode)
        #expect(try folder.read().hasSuffix("\naccounts: []\n"))
        #expect(try file.list().isEmpty)
    }

    @Test(arguments: zip([0o600, 0o640, 0o644, 0o664] as [mode_t], [0o600, 0o640, 0o600, 0o600] as [mode_t]))
    func `a new file has the mode of the settings where that is good for hashes`(
        settings: mode_t, mode: mode_t
    ) throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file("mode: shared\n", as: "baton.yaml", mode: settings)
        try accounts(folder, mode: 0o600).add(ana())
        #expect(folder.mode(of: "accounts.yaml") == mode)
        #expect(folder.mode(of: "baton.yaml") == settings)
    }

    @Test(.enabled(if: geteuid() == 0), arguments: [(0, 123), (456, 456)] as [(gid_t, gid_t)])
    func `on a terminal a new file is for batond's group, or that of the settings`(of: gid_t, expected: gid_t) throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file("mode: shared\n", as: "baton.yaml", mode: 0o640)
        try #require(chown(folder.path(of: "baton.yaml"), 0, of) == 0)
        try AccountsFile(beside: folder.filePath("baton.yaml"), newGroup: 123).add(ana())
        var status = stat()
        #expect(stat(folder.path(of: "accounts.yaml"), &status) == 0)
        #expect(status.st_uid == 0 && status.st_gid == expected && status.st_mode & 0o777 == 0o640)
    }

    @Test func `a link stays a link`() throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file("accounts: []\n", as: "real.yaml")
        try folder.link("accounts.yaml", to: "real.yaml")
        try accounts(folder).add(ana())
        #expect(folder.names == ["accounts.yaml", "real.yaml"])
        #expect(try folder.read("real.yaml").contains("ana"))
        var status = stat()
        lstat(folder.path(of: "accounts.yaml"), &status)
        #expect(status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func `a link that leads nowhere is an error, not a device without accounts`() throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file("identity: {accounts: [{username: bo, name: Bo}]}\n", as: "baton.yaml")
        try folder.link("accounts.yaml", to: "gone.yaml")
        #expect(throws: AccountsFile.Fault.self) { try accounts(folder).add(ana()) }
        #expect(throws: AccountsFile.Fault.self) { try accounts(folder).list() }
    }

    @Test(arguments: ["accounts.yaml", "baton.yaml"])
    func `a refused change leaves the files and the folder as they were`(name: String) throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file("mode: [\n", as: name)
        let fault = #expect(throws: AccountsFile.Fault.self) { try accounts(folder).add(ana()) }
        #expect(fault?.description.hasPrefix("\(folder.path)/\(name):") == true)
        #expect(try folder.read(name) == "mode: [\n")
        #expect(folder.names == [name])
    }

    @Test(
        arguments: zip(
            ["mode: shared\nidentity: {kind: oidc}\n", "identity: 5\n", "- a\n", "identity: {accounts: 5}\n"],
            [
                "2: identity.kind: is not local, so this device has no accounts of its own",
                "1: identity: must be a section of keys", "1: the file must consist of keys",
                "1: identity.accounts: must be a list of accounts",
            ]))
    func `settings that have no place for accounts are told with line and key`(text: String, message: String) throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file(text, as: "baton.yaml")
        let fault = #expect(throws: AccountsFile.Fault.self) { try accounts(folder).add(ana()) }
        #expect(fault?.description == "\(folder.path)/baton.yaml:\(message)")
        #expect(folder.names == ["baton.yaml"])
    }

    @Test func `a fault names the file`() throws {
        let folder = try TemporaryFolder("accounts")
        let path = folder.filePath("accounts.yaml")
        let fault = #expect(throws: AccountsFile.Fault.self) { try accounts(folder).remove("ana") }
        #expect(fault?.description == "\(path): there is no account 'ana'")
        try accounts(folder).add(ana())
        let twice = #expect(throws: AccountsFile.Fault.self) { try accounts(folder).add(ana()) }
        #expect(twice?.description == "\(path): there is an account 'ana' already")
    }

    @Test func `the first account makes the folders that are missing`() throws {
        let folder = try TemporaryFolder("accounts")
        let path = folder.filePath("home/.config/baton.yaml")
        let file = AccountsFile(beside: path, makesFolders: true)
        try file.add(LocalAccount(username: "ana", name: "Ana Horvat", pin: nil))
        var status = stat()
        #expect(stat(path.removingLastComponent().string, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        #expect(access(file.path.string, R_OK) == 0)
    }

    @Test func `a folder in the file's place is an error`() throws {
        let folder = try TemporaryFolder("accounts")
        let path = folder.path(of: "accounts.yaml")
        mkdir(path, 0o700)
        defer { rmdir(path) }
        #expect(throws: AccountsFile.Fault.self) { try accounts(folder).add(ana()) }
        #expect(throws: AccountsFile.Fault.self) { try AccountsFile(beside: "/nowhere/baton.yaml").add(ana()) }
    }

    @Test func `changes at the same time are all kept`() async throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file("identity: {accounts: [{username: old, name: Old}]}\n", as: "baton.yaml")
        let file = accounts(folder)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    #expect(throws: Never.self) {
                        try file.add(try LocalAccount(username: "u\(number)", name: "U", pin: nil))
                    }
                }
            }
        }
        let names = try file.list().map(\.username)
        #expect(Set(names) == Set(["old"] + (0..<8).map { "u\($0)" }) && names.count == 9)
    }

    @Test func `what a killed change has left is cleared by the next`() throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file("half a fi", as: ".accounts.yaml.new")
        try accounts(folder).add(ana())
        #expect(folder.names == ["accounts.yaml"])
    }

    // MARK: The list in the settings file

    private static let old =
        "# mine\nidentity:\n  accounts:\n    - {username: bo, name: Bo}\n    - {username: cy, name: Cy}\n"

    @Test func `the first change takes the accounts of the settings over and leaves the settings alone`() throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file(Self.old, as: "baton.yaml")
        let file = accounts(folder)
        #expect(try file.list().map(\.username) == ["bo", "cy"])
        #expect(folder.names == ["baton.yaml"])
        #expect(try file.add(ana()) == AccountsFile.OldList(line: 3, isMoved: true))
        #expect(try file.list().map(\.username) == ["bo", "cy", "ana"])
        #expect(try file.setPIN("bo", try hash("4711")) == AccountsFile.OldList(line: 3, isMoved: false))
        #expect(try folder.read("baton.yaml") == Self.old)
    }

    @Test func `an account that was removed does not come back through the old list`() throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file(Self.old, as: "baton.yaml")
        let file = accounts(folder)
        for name in ["bo", "cy"] { try file.remove(name) }
        #expect(try file.list().isEmpty)
        try file.add(ana())
        #expect(try file.list().map(\.username) == ["ana"])
        #expect(throws: AccountsFile.Fault.self) { try file.remove("bo") }
    }

    @Test func `an old list with a fault is not taken over, and the fault is told in its place`() throws {
        let folder = try TemporaryFolder("accounts")
        try folder.file("identity:\n  accounts:\n    - {username: bo, name: Bo, pin: '4711'}\n", as: "baton.yaml")
        let fault = #expect(throws: AccountsFile.Fault.self) { try accounts(folder).add(ana()) }
        #expect(
            fault?.description
                == "\(folder.path)/baton.yaml:3: identity.accounts[0].pin: is not a PIN hash; batonctl hash-pin makes one"
        )
        #expect(folder.names == ["baton.yaml"])
        // An account that is not there is no reason to move the others.
        try folder.file(Self.old, as: "baton.yaml")
        #expect(throws: AccountsFile.Fault.self) { try accounts(folder).remove("ana") }
        #expect(folder.names == ["baton.yaml"])
    }
}
