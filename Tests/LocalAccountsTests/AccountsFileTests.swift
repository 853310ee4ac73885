import Glibc
import LocalAccounts
import SystemPackage
import Testing

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

        func write(_ text: String, _ name: String = "baton.yaml", mode: mode_t = 0o600) throws {
            let file = open(path.appending(name).string, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
            try #require(file >= 0)
            let bytes = Array(text.utf8)
            #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
            #expect(fchmod(file, mode) == 0)
            close(file)
        }

        func read(_ name: String = "baton.yaml") throws -> String {
            let descriptor = try FileDescriptor.open(path.appending(name), .readOnly)
            defer { close(descriptor.rawValue) }
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = try bytes.withUnsafeMutableBytes { try descriptor.read(into: $0) }
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }

        func mode(_ name: String = "baton.yaml") -> mode_t {
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

    @Test func `a new file is made for its group only, with nothing beside it`() throws {
        let folder = try Folder()
        try AccountsFile(folder.path.appending("baton.yaml")).add(ana())
        #expect(folder.mode() == 0o640)
        #expect(folder.names == ["baton.yaml"])
        #expect(try folder.read().contains("username: \"ana\""))
    }

    @Test(arguments: [0o600, 0o640, 0o444, 0o660] as [mode_t]) func `the mode stays`(mode: mode_t) throws {
        let folder = try Folder()
        try folder.write("mode: shared\n", mode: mode)
        let file = AccountsFile(folder.path.appending("baton.yaml"))
        try file.add(ana())
        try file.setPIN("ana", try hash("4712"))
        try file.remove("ana")
        #expect(folder.mode() == mode)
        #expect(try folder.read() == "mode: shared\nidentity:\n  kind: local\n  accounts: []\n")
    }

    @Test func `a link stays a link`() throws {
        let folder = try Folder()
        try folder.write("mode: shared\n", "real.yaml")
        #expect(symlink("real.yaml", folder.path.appending("baton.yaml").string) == 0)
        try AccountsFile(folder.path.appending("baton.yaml")).add(ana())
        #expect(folder.names == ["baton.yaml", "real.yaml"])
        #expect(try folder.read("real.yaml").contains("ana"))
        var status = stat()
        lstat(folder.path.appending("baton.yaml").string, &status)
        #expect(status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func `a refused change leaves the file and the folder as they were`() throws {
        let folder = try Folder()
        try folder.write("mode: [\n")
        #expect(throws: AccountsFile.Fault.self) {
            try AccountsFile(folder.path.appending("baton.yaml")).add(ana())
        }
        #expect(try folder.read() == "mode: [\n")
        #expect(folder.names == ["baton.yaml"])
    }

    @Test func `a fault names the file`() throws {
        let folder = try Folder()
        try folder.write("mode: shared\n")
        let path = folder.path.appending("baton.yaml")
        let fault = #expect(throws: AccountsFile.Fault.self) { try AccountsFile(path).remove("ana") }
        #expect(fault?.description == "\(path): there is no account 'ana', or more than one")
    }

    @Test func `the first account makes the folders that are missing`() throws {
        let folder = try Folder()
        let path = folder.path.appending("home").appending(".config").appending("baton.yaml")
        try AccountsFile(path, makesFolders: true).add(LocalAccount(username: "ana", name: "Ana Horvat", pin: nil))
        var status = stat()
        #expect(stat(path.removingLastComponent().string, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        #expect(access(path.string, R_OK) == 0)
        for made in [path, path.removingLastComponent(), folder.path.appending("home")] { remove(made.string) }
    }

    @Test func `a folder in the file's place is an error`() throws {
        #expect(throws: AccountsFile.Fault.self) { try AccountsFile("/tmp").add(ana()) }
        #expect(throws: AccountsFile.Fault.self) { try AccountsFile("/nowhere/baton.yaml").add(ana()) }
    }

    @Test func `changes at the same time are all kept`() async throws {
        let folder = try Folder()
        let path = folder.path.appending("baton.yaml")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    #expect(throws: Never.self) {
                        try AccountsFile(path).add(try LocalAccount(username: "u\(number)", name: "U", pin: nil))
                    }
                }
            }
        }
        let text = try folder.read()
        for number in 0..<8 { #expect(text.contains("\"u\(number)\"")) }
    }
}
