import FolderTesting
import Glibc
import LocalAccounts
import Settings
import SystemPackage
import Testing

@Suite("The accounts' own file", .timeLimit(.minutes(1))) struct AccountsFileSettingsTests {
    private static let accounts = "accounts:\n  - {username: ana, name: A, pin: \"\(pinHash)\"}\n"
    private static let old =
        "mode: shared\nidentity:\n  accounts:\n    - {username: bo, name: B, pin: \"\(pinHash)\"}\n"

    private func load(
        _ path: FilePath, scope: Settings.Scope = .system
    ) async -> (names: [String]?, faults: [String], warnings: [String]) {
        do throws(SettingsFaults) {
            let parsed = try await Settings.load(path, required: false, scope: scope, environment: [:])
            // What this machine has not is another matter.
            let warnings = parsed.warnings.filter { $0.origin != path.string || $0.key?.hasPrefix("identity") == true }
            return (parsed.settings.accounts.map(\.username), [], warnings.map(\.description))
        } catch {
            return (nil, error.all.map(\.description), [])
        }
    }

    @Test func `accounts are read from the file beside the settings`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("mode: shared\n")
        try folder.file(Self.accounts, as: "accounts.yaml", mode: 0o640)
        let result = await load(path)
        #expect(result.names == ["ana"] && result.faults.isEmpty && result.warnings.isEmpty)
    }

    @Test func `a session needs no settings file for them`() async throws {
        let folder = try TemporaryFolder("settings")
        try folder.file(Self.accounts, as: "accounts.yaml")
        #expect(await load(folder.filePath("baton.yaml"), scope: .session).names == ["ana"])
    }

    @Test func `without it the list in the settings counts, as ever`() async throws {
        let folder = try TemporaryFolder("settings")
        let result = await load(try folder.file(Self.old))
        #expect(result.names == ["bo"] && result.warnings.isEmpty)
    }

    @Test(arguments: zip([accounts, "accounts: []\n"], [["ana"], []]))
    func `with it the list means nothing, and a warning says in which line it has to go`(
        text: String, names: [String]
    ) async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file(Self.old)
        try folder.file(text, as: "accounts.yaml")
        let result = await load(path)
        #expect(result.names == names)
        #expect(
            result.warnings == [
                "\(path):3: identity.accounts: has no effect, since the accounts are in \(folder.path)/accounts.yaml; delete it here"
            ])
    }

    @Test(arguments: [
        "", "accounts:\n", "accounts: [{username: ana}]\n", "accounts: []\nmode: shared\n", "accounts: [",
    ])
    func `with a fault in it nothing is taken, least of all the old list`(text: String) async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file(Self.old)
        try folder.file(text, as: "accounts.yaml")
        let result = await load(path)
        #expect(result.names == nil && !result.faults.isEmpty)
        #expect(result.faults.allSatisfy { $0.hasPrefix("\(folder.path)/accounts.yaml:") }, "\(result.faults)")
    }

    @Test func `faults of both files come together, each with its file, line and key`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("mode: shared\nmood: good\n")
        let accounts = try folder.file("accounts:\n  - {username: ana, name: A, pin: 4711}\n", as: "accounts.yaml")
        #expect(
            await load(path).faults == [
                "\(path):2: mood: unknown key",
                "\(accounts):2: accounts[0].pin: is not a PIN hash; batonctl hash-pin makes one",
            ])
    }

    @Test func `an account without a PIN is warned of in its own file`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("mode: shared\n")
        let accounts = try folder.file("accounts:\n  - {username: ana, name: A}\n", as: "accounts.yaml")
        #expect(
            await load(path).warnings == [
                "\(accounts):2: accounts[0]: 'ana' has no PIN and cannot sign in; batonctl account set-pin gives one"
            ])
    }

    @Test(arguments: [0o644, 0o660, 0o604] as [mode_t])
    func `it is for batond alone on the system bus`(mode: mode_t) async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("mode: shared\n")
        let accounts = try folder.file(Self.accounts, as: "accounts.yaml", mode: mode)
        let faults = await load(path).faults
        #expect(faults.count == 1 && faults.first?.hasPrefix("\(accounts): mode ") == true, "\(faults)")
    }

    @Test func `what is there and cannot be read is a fault, not a device without accounts`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file(Self.old)
        let accounts = folder.filePath("accounts.yaml")
        try #require(symlink("gone.yaml", accounts.string) == 0)
        #expect(await load(path).faults == ["\(accounts): is a link that leads to no file"])
        unlink(accounts.string)
        try #require(mkdir(accounts.string, 0o700) == 0)
        #expect(await load(path).faults == ["\(accounts): is not a file"])
        rmdir(accounts.string)
    }

    @Test func `with a provider the file means nothing, and a warning says so`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file(
            "identity: {kind: oidc, authority: \"https://login.example.org\", client-id: baton-device}\n")
        let accounts = try folder.file(Self.accounts, as: "accounts.yaml")
        let result = await load(path)
        #expect(result.names == [])
        #expect(result.warnings == ["\(accounts): has no effect, since identity.kind is oidc; remove the file"])
    }
}
