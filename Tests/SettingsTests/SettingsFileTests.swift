import FolderTesting
import Glibc
import Settings
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(1))) struct SettingsFileTests {
    let withHash = "identity: {accounts: [{username: ana, name: A, pin: \"\(pinHash)\"}]}\n"

    func load(
        _ path: FilePath, required: Bool = true, scope: Settings.Scope = .system, environment: [String: String] = [:]
    ) async -> (parsed: Settings.Parsed?, faults: [String]) {
        do throws(SettingsFaults) {
            let parsed = try await Settings.load(path, required: required, scope: scope, environment: environment)
            return (parsed, [])
        } catch {
            return (nil, error.all.map(\.description))
        }
    }

    @Test(arguments: [0o400, 0o440, 0o600, 0o640] as [mode_t])
    func `hashes for their group only are taken on the system bus`(mode: mode_t) async throws {
        let folder = try TemporaryFolder("settings")
        let result = await load(try folder.file(withHash, mode: mode))
        #expect(result.faults.isEmpty && result.parsed?.warnings.isEmpty == true)
    }

    @Test(arguments: [0o644, 0o641, 0o650, 0o604] as [mode_t])
    func `hashes that more can read are refused on the system bus`(mode: mode_t) async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file(withHash, mode: mode)
        let bits = String(mode, radix: 8)
        #expect(
            await load(path).faults == [
                "\(path): mode \(bits) is looser than 0640 and the file holds PIN hashes; chown root:baton \(path) and chmod 0640 \(path)"
            ])
    }

    @Test(arguments: [0o660, 0o662, 0o602, 0o620] as [mode_t])
    func `a file that others can write is refused on the system bus, hashes or not`(mode: mode_t) async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("mode: shared\n", mode: mode)
        let bits = String(mode, radix: 8)
        #expect(await load(path).faults == ["\(path): mode \(bits) lets others write it; chmod 0640 \(path)"])
    }

    @Test func `a file without hashes may be read by everybody`() async throws {
        let folder = try TemporaryFolder("settings")
        #expect(await load(try folder.file("mode: shared\n", mode: 0o644)).faults.isEmpty)
    }

    @Test func `on the session bus only a file that everybody can write is refused`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file(withHash, mode: 0o664)
        let readable = await load(path, scope: .session)
        #expect(
            readable.parsed?.warnings.map(\.description) == [
                "\(path): mode 664 lets all users read the PIN hashes; chmod 0600 \(path)"
            ])
        try #require(chmod(path.string, 0o602) == 0)
        let writable = await load(path, scope: .session)
        #expect(writable.faults == ["\(path): mode 602 lets all users write it; chmod 0600 \(path)"])
    }

    @Test(.enabled(if: geteuid() == 0)) func `a file of somebody else is refused on the system bus`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("mode: shared\n")
        try #require(chown(path.string, 12345, 12345) == 0)
        #expect(
            await load(path).faults == ["\(path): belongs to user 12345, who could change it; chown root:baton \(path)"]
        )
    }

    @Test func `faults of the mode and of the content come together`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("mood: shared\n", mode: 0o666)
        #expect(
            await load(path).faults == [
                "\(path): mode 666 lets others write it; chmod 0640 \(path)", "\(path):1: mood: unknown key",
            ])
    }

    @Test func `a file that is not there is a fault only where it is required`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = folder.filePath("baton.yaml")
        #expect(await load(path).faults == ["\(path): there is no such file"])
        #expect(await load(path, required: false).parsed?.settings == Settings(defaultsFor: .system))
    }

    @Test func `what is not a readable text file is a fault`() async throws {
        let folder = try TemporaryFolder("settings")
        #expect(await load(FilePath(folder.path)).faults == ["\(folder.path): is not a file"])
        #expect(await load("/dev/zero").faults == ["/dev/zero: is not a file"])
        let bytes = try folder.file(Array("mode: shared\n# \u{FFFD}\n".utf8) + [0x0A, 0xFF, 0x0A], as: "bytes.yaml")
        #expect(await load(bytes).faults == ["\(bytes):4: is not UTF-8 text"])
        let large = try folder.file(String(repeating: "#", count: (1 << 20) + 1), as: "large.yaml")
        #expect(await load(large).faults == ["\(large): is larger than 1 MiB"])
        let pipe = folder.filePath("pipe.yaml")
        try #require(mkfifo(pipe.string, 0o600) == 0)
        defer { unlink(pipe.string) }
        #expect(await load(pipe).faults == ["\(pipe): is not a file"])
    }

    @Test func `environment, then credentials, then the file`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("barrier: {soft: 1s, hard: 4s, containment: 1s}\n")
        try folder.file("2s", as: "credentials/baton-barrier-soft")
        try folder.file("6s", as: "credentials/baton-barrier-hard")
        let environment = [
            "CREDENTIALS_DIRECTORY": folder.path(of: "credentials"), "BATON_BARRIER_SOFT": "3s",
        ]
        let barrier = await load(path, environment: environment).parsed?.settings.barrier
        #expect(barrier?.soft == .seconds(3))
        #expect(barrier?.hard == .seconds(6))
        #expect(barrier?.containment == .seconds(1))
    }

    @Test func `a fault of a credential names it`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("mode: shared\n")
        try folder.file("fast", as: "credentials/baton-barrier-soft")
        let environment = ["CREDENTIALS_DIRECTORY": folder.path(of: "credentials")]
        let faults = await load(path, environment: environment).faults
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix("credential baton-barrier-soft: barrier.soft: 'fast' is not") == true)
    }

    @Test func `apps are read from the folder beside the file`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("mode: shared\n")
        try folder.file("name: Till\n", as: "apps.d/org.example.Till.yaml")
        try folder.file("nam: Bad\n", as: "apps.d/org.example.Bad.yaml")
        try folder.file("name: Open\n", as: "apps.d/org.example.Open.yaml", mode: 0o666)
        try folder.file("junk", as: "apps.d/README")
        try folder.file("junk", as: "apps.d/.hidden.yaml")
        let parsed = try #require(await load(path).parsed)
        let apps = folder.filePath("apps.d")
        #expect(parsed.settings.apps.map(\.id) == ["org.example.Till"])
        #expect(parsed.disabledApps == ["org.example.Bad", "org.example.Open"])
        #expect(
            parsed.appFaults.map(\.description) == [
                "\(apps)/org.example.Bad.yaml:1: nam: unknown key",
                "\(apps)/org.example.Open.yaml: mode 666 lets others write it; chmod 0640 \(apps)/org.example.Open.yaml",
            ])
    }

    @Test func `what a file is called can neither break the line nor command the terminal`() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("mode: shared\n")
        try folder.file("nam: x\n", as: "apps.d/org.example.\u{1b}[2J\nTill.yaml")
        try folder.file("", as: "apps.d/org.example.\u{7}Open.yaml", mode: 0o666)
        let parsed = try #require(await load(path).parsed)
        #expect(parsed.appFaults.count >= 2)
        for fault in parsed.appFaults {
            #expect(fault.description.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(fault)")
            #expect(fault.description.contains("apps.d/org.example.?"))
        }
    }

    @Test func `the standard place follows the environment`() {
        let place = Settings.standardFile
        #expect(place(.system, [:]) == "/etc/baton/baton.yaml")
        #expect(place(.session, ["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/baton/baton.yaml")
        #expect(place(.session, ["XDG_CONFIG_HOME": "x", "HOME": "/h"]) == "/h/.config/baton/baton.yaml")
        #expect(place(.session, [:]) == nil)
    }
}
