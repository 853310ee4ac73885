import Glibc
import SystemPackage
import Testing

@testable import LocalAccounts

@Suite struct AccountsFileTests {
    /// A folder that goes when the test ends.
    final class Folder {
        let path: FilePath

        init() throws {
            var template = Array("/tmp/baton-accounts-XXXXXX".utf8CString)
            let made = template.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.flatMap { mkdtemp($0) } != nil
            }
            try #require(made)
            path = FilePath(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }

        var names: [String] {
            guard let directory = opendir(path.string) else { return [] }
            defer { closedir(directory) }
            var names: [String] = []
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { names.append(name) }
            }
            return names.sorted()
        }

        func write(_ text: String, _ name: String, mode: mode_t = 0o600) throws {
            let file = open(path.appending(name).string, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
            try #require(file >= 0)
            let bytes = Array(text.utf8)
            #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
            #expect(fchmod(file, mode) == 0)
            close(file)
        }

        func read(_ name: String = "accounts.yaml") throws -> String {
            let descriptor = try FileDescriptor.open(path.appending(name), .readOnly)
            defer { close(descriptor.rawValue) }
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = try bytes.withUnsafeMutableBytes { try descriptor.read(into: $0) }
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }

        func mode(_ name: String = "accounts.yaml") -> mode_t {
            var status = stat()
            lstat(path.appending(name).string, &status)
            return status.st_mode & 0o7777
        }

        deinit {
            for name in names { unlink(path.appending(name).string) }
            rmdir(path.string)
        }
    }

    func ana() throws -> LocalAccount { try LocalAccount(username: "ana", name: "Ana", pin: try hash("4711")) }

    func accounts(_ folder: Folder, mode: UInt32 = 0o640) -> AccountsFile {
        AccountsFile(beside: folder.path.appending("baton.yaml"), newMode: mode)
    }

    @Test func `a new file is made for its group only, with nothing beside it`() throws {
        let folder = try Folder()
        #expect(try accounts(folder).add(ana()) == nil)
        #expect(folder.mode() == 0o640)
        #expect(folder.names == ["accounts.yaml"])
        #expect(try folder.read().contains("username: \"ana\""))
    }

    @Test(arguments: [0o600, 0o640, 0o444, 0o660] as [mode_t]) func `the mode stays`(mode: mode_t) throws {
        let folder = try Folder()
        try folder.write("accounts: []\n", "accounts.yaml", mode: mode)
        let file = accounts(folder)
        try file.add(ana())
        try file.setPIN("ana", try hash("4712"))
        #expect(try file.list().map(\.username) == ["ana"])
        try file.remove("ana")
        #expect(folder.mode() == mode)
        #expect(try folder.read().hasSuffix("\naccounts: []\n"))
        #expect(try file.list().isEmpty)
    }

    @Test(arguments: zip([0o600, 0o640, 0o644, 0o664] as [mode_t], [0o600, 0o640, 0o600, 0o600] as [mode_t]))
    func `a new file has the mode of the settings where that is good for hashes`(
        settings: mode_t, mode: mode_t
    ) throws {
        let folder = try Folder()
        try folder.write("mode: shared\n", "baton.yaml", mode: settings)
        try accounts(folder, mode: 0o600).add(ana())
        #expect(folder.mode() == mode)
        #expect(folder.mode("baton.yaml") == settings)
    }

    @Test(.enabled(if: geteuid() == 0), arguments: [(0, 123), (456, 456)] as [(gid_t, gid_t)])
    func `on a terminal a new file is for batond's group, or that of the settings`(of: gid_t, expected: gid_t) throws {
        let folder = try Folder()
        try folder.write("mode: shared\n", "baton.yaml", mode: 0o640)
        try #require(chown(folder.path.appending("baton.yaml").string, 0, of) == 0)
        try AccountsFile(beside: folder.path.appending("baton.yaml"), newGroup: 123).add(ana())
        var status = stat()
        #expect(stat(folder.path.appending("accounts.yaml").string, &status) == 0)
        #expect(status.st_uid == 0 && status.st_gid == expected && status.st_mode & 0o777 == 0o640)
    }

    @Test func `a link stays a link`() throws {
        let folder = try Folder()
        try folder.write("accounts: []\n", "real.yaml")
        #expect(symlink("real.yaml", folder.path.appending("accounts.yaml").string) == 0)
        try accounts(folder).add(ana())
        #expect(folder.names == ["accounts.yaml", "real.yaml"])
        #expect(try folder.read("real.yaml").contains("ana"))
        var status = stat()
        lstat(folder.path.appending("accounts.yaml").string, &status)
        #expect(status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func `a link that leads nowhere is an error, not a device without accounts`() throws {
        let folder = try Folder()
        try folder.write("identity: {accounts: [{username: bo, name: Bo}]}\n", "baton.yaml")
        #expect(symlink("gone.yaml", folder.path.appending("accounts.yaml").string) == 0)
        #expect(throws: AccountsFile.Fault.self) { try accounts(folder).add(ana()) }
        #expect(throws: AccountsFile.Fault.self) { try accounts(folder).list() }
    }

    @Test(arguments: ["accounts.yaml", "baton.yaml"])
    func `a refused change leaves the files and the folder as they were`(name: String) throws {
        let folder = try Folder()
        try folder.write("mode: [\n", name)
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
        let folder = try Folder()
        try folder.write(text, "baton.yaml")
        let fault = #expect(throws: AccountsFile.Fault.self) { try accounts(folder).add(ana()) }
        #expect(fault?.description == "\(folder.path)/baton.yaml:\(message)")
        #expect(folder.names == ["baton.yaml"])
    }

    @Test func `a fault names the file`() throws {
        let folder = try Folder()
        let path = folder.path.appending("accounts.yaml")
        let fault = #expect(throws: AccountsFile.Fault.self) { try accounts(folder).remove("ana") }
        #expect(fault?.description == "\(path): there is no account 'ana'")
        try accounts(folder).add(ana())
        let twice = #expect(throws: AccountsFile.Fault.self) { try accounts(folder).add(ana()) }
        #expect(twice?.description == "\(path): there is an account 'ana' already")
    }

    @Test func `the first account makes the folders that are missing`() throws {
        let folder = try Folder()
        let path = folder.path.appending("home").appending(".config").appending("baton.yaml")
        let file = AccountsFile(beside: path, makesFolders: true)
        try file.add(LocalAccount(username: "ana", name: "Ana Horvat", pin: nil))
        var status = stat()
        #expect(stat(path.removingLastComponent().string, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        #expect(access(file.path.string, R_OK) == 0)
        for made in [file.path, path.removingLastComponent(), folder.path.appending("home")] { remove(made.string) }
    }

    @Test func `a folder in the file's place is an error`() throws {
        let folder = try Folder()
        let path = folder.path.appending("accounts.yaml").string
        mkdir(path, 0o700)
        defer { rmdir(path) }
        #expect(throws: AccountsFile.Fault.self) { try accounts(folder).add(ana()) }
        #expect(throws: AccountsFile.Fault.self) { try AccountsFile(beside: "/nowhere/baton.yaml").add(ana()) }
    }

    @Test func `changes at the same time are all kept`() async throws {
        let folder = try Folder()
        try folder.write("identity: {accounts: [{username: old, name: Old}]}\n", "baton.yaml")
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
        let folder = try Folder()
        try folder.write("half a fi", ".accounts.yaml.new")
        try accounts(folder).add(ana())
        #expect(folder.names == ["accounts.yaml"])
    }

    // MARK: The list in the settings file

    private static let old =
        "# mine\nidentity:\n  accounts:\n    - {username: bo, name: Bo}\n    - {username: cy, name: Cy}\n"

    @Test func `the first change takes the accounts of the settings over and leaves the settings alone`() throws {
        let folder = try Folder()
        try folder.write(Self.old, "baton.yaml")
        let file = accounts(folder)
        #expect(try file.list().map(\.username) == ["bo", "cy"])
        #expect(folder.names == ["baton.yaml"])
        #expect(try file.add(ana()) == AccountsFile.OldList(line: 3, isMoved: true))
        #expect(try file.list().map(\.username) == ["bo", "cy", "ana"])
        #expect(try file.setPIN("bo", try hash("4711")) == AccountsFile.OldList(line: 3, isMoved: false))
        #expect(try folder.read("baton.yaml") == Self.old)
    }

    @Test func `an account that was removed does not come back through the old list`() throws {
        let folder = try Folder()
        try folder.write(Self.old, "baton.yaml")
        let file = accounts(folder)
        for name in ["bo", "cy"] { try file.remove(name) }
        #expect(try file.list().isEmpty)
        try file.add(ana())
        #expect(try file.list().map(\.username) == ["ana"])
        #expect(throws: AccountsFile.Fault.self) { try file.remove("bo") }
    }

    @Test func `an old list with a fault is not taken over, and the fault is told in its place`() throws {
        let folder = try Folder()
        try folder.write("identity:\n  accounts:\n    - {username: bo, name: Bo, pin: '4711'}\n", "baton.yaml")
        let fault = #expect(throws: AccountsFile.Fault.self) { try accounts(folder).add(ana()) }
        #expect(
            fault?.description
                == "\(folder.path)/baton.yaml:3: identity.accounts[0].pin: is not a PIN hash; batonctl hash-pin makes one"
        )
        #expect(folder.names == ["baton.yaml"])
        // An account that is not there is no reason to move the others.
        try folder.write(Self.old, "baton.yaml")
        #expect(throws: AccountsFile.Fault.self) { try accounts(folder).remove("ana") }
        #expect(folder.names == ["baton.yaml"])
    }
}
