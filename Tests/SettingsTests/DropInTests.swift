import FolderTesting
import Glibc
import LocalAccounts
import Settings
import SystemPackage
import Testing

/// Files of `baton.yaml.d`, the terminal's and the vendor's, over the settings file.
@Suite(.timeLimit(.minutes(1))) struct DropInTests {
    private struct Scene {
        let folder: TemporaryFolder
        let vendor: FilePath
        var settings: FilePath { folder.filePath("baton.yaml") }

        init(_ text: String = "", own: [String: String] = [:], vendor vendors: [String: String] = [:]) throws {
            folder = try TemporaryFolder("drop-ins")
            vendor = folder.filePath("vendor")
            try folder.folder("baton.yaml.d", mode: 0o755)
            try folder.folder("vendor", mode: 0o755)
            try folder.file(text)
            for (name, text) in own { try folder.file(text, as: "baton.yaml.d/\(name)") }
            for (name, text) in vendors { try folder.file(text, as: "vendor/\(name)") }
        }

        func load(environment: [String: String] = [:]) async -> (parsed: Settings.Parsed?, faults: [String]) {
            do throws(SettingsFaults) {
                let parsed = try await Settings.load(
                    settings, required: true, scope: .system, environment: environment, vendor: vendor)
                return (parsed, [])
            } catch {
                return (nil, error.all.map { $0.description.replacing(folder.path, with: "") })
            }
        }

        func origin(_ key: String, in parsed: Settings.Parsed?) -> String? {
            parsed?.values.first { $0.key == key }.map { value in
                "\(value.origin.replacing(folder.path, with: ""))\(value.line.map { ":\($0)" } ?? "")"
            }
        }
    }

    @Test func `a later file's keys count, section by section, and each says where it is from`() async throws {
        let scene = try Scene(
            "barrier: {soft: 1s, hard: 4s}\nadministrators: [root, it]\n",
            own: ["20-ward.yaml": "barrier:\n  hard: 6s\n", "90-last.yaml": "administrators: [root]\n"],
            vendor: ["10-site.yaml": "barrier: {soft: 2s, containment: 2s}\nstart-page: {name: Hospital}\n"])
        let parsed = await scene.load().parsed
        let settings = try #require(parsed?.settings)
        #expect(settings.barrier.soft == .seconds(2) && settings.barrier.hard == .seconds(6))
        #expect(settings.barrier.containment == .seconds(2))
        // A list is replaced, not joined.
        #expect(settings.administrators == [.user("root")])
        #expect(scene.origin("barrier.soft", in: parsed) == "/vendor/10-site.yaml:1")
        #expect(scene.origin("barrier.hard", in: parsed) == "/baton.yaml.d/20-ward.yaml:2")
        #expect(scene.origin("administrators", in: parsed) == "/baton.yaml.d/90-last.yaml:1")
        #expect(scene.origin("start-page.name", in: parsed) == "/vendor/10-site.yaml:2")
        #expect(scene.origin("barrier.unproven", in: parsed) == nil)
    }

    @Test
    func
        `the administrator's file takes the place of the vendor's of the same name, and a link to nothing takes it away`()
        async throws
    {
        let scene = try Scene(
            own: ["10-site.yaml": "barrier: {hard: 6s}\n"],
            vendor: ["10-site.yaml": "barrier: {soft: 2s}\n", "30-more.yaml": "limits: {receipts: 5}\n"])
        try #require(symlink("/dev/null", "\(scene.folder.path)/baton.yaml.d/30-more.yaml") == 0)
        let settings = try #require(await scene.load().parsed?.settings)
        #expect(settings.barrier.soft == Settings(defaultsFor: .system).barrier.soft)
        #expect(settings.barrier.hard == .seconds(6))
        #expect(settings.limits.receipts == Settings(defaultsFor: .system).limits.receipts)
    }

    @Test func `the environment goes before all files`() async throws {
        let scene = try Scene(own: ["1.yaml": "barrier: {hard: 6s}\n"])
        let parsed = await scene.load(environment: ["BATON_BARRIER_HARD": "7s"]).parsed
        #expect(parsed?.settings.barrier.hard == .seconds(7))
        #expect(scene.origin("barrier.hard", in: parsed)?.hasPrefix("environment ") == true)
    }

    @Test func `each fault has its own file and line, and those that several files make together that of the first`()
        async throws
    {
        let scene = try Scene(
            "barrier:\n  soft: 3s\n",
            own: [
                "1.yaml": "barrier:\n  hardly: 1s\n", "2.yaml": "- a list\n", "3.yaml": "limits: {receipts: many}\n",
                "4.yaml": "barrier: {hard: 2s}\n", "5.yaml": "mode: [\n",
            ])
        let faults = await scene.load().faults
        for place in [
            "/baton.yaml.d/1.yaml:2: barrier.hardly: unknown key",
            "/baton.yaml.d/2.yaml:1: the file must consist of keys",
            "/baton.yaml.d/3.yaml:1: limits.receipts: 'many'", "/baton.yaml:2: barrier.soft: soft (3s) must be shorter",
            "/baton.yaml.d/5.yaml:",
        ] { #expect(faults.contains { $0.hasPrefix(place) }, "\(place): \(faults)") }
    }

    @Test func `what others could change or put there is refused, and what looks meant is named`() async throws {
        let scene = try Scene(own: ["1.yaml": "mode: shared\n", "2.yml": "mode: default\n"])
        #expect(
            await scene.load().parsed?.warnings.map { $0.description.replacing(scene.folder.path, with: "") }
                == ["/baton.yaml.d/2.yml: is not read: a drop-in is named <name>.yaml"])
        chmod("\(scene.folder.path)/baton.yaml.d/1.yaml", 0o666)
        #expect(
            await scene.load().faults.first?.hasPrefix("/baton.yaml.d/1.yaml: mode 666 lets others write it") == true)
        chmod("\(scene.folder.path)/baton.yaml.d/1.yaml", 0o644)
        chmod("\(scene.folder.path)/vendor", 0o777)
        #expect(
            await scene.load().faults.first?.hasPrefix("/vendor: mode 777 lets others put other settings there") == true
        )
    }

    @Test func `an account's least PIN is that of all files`() throws {
        let scene = try Scene("identity: {least-pin-length: 4}\n", own: ["1.yaml": "identity: {least-pin-length: 7}\n"])
        #expect(try AccountsFile(beside: scene.settings).leastPINLength() == 7)
    }

    @Test func `what is written for one key keeps the others, reads again as it was meant, and can be taken back`()
        async throws
    {
        let scene = try Scene()
        let dropIn = SettingsDropIn(of: scene.settings, newMode: 0o640, newGroup: nil)
        #expect(try dropIn.set("barrier.hard", to: "6s") == nil)
        let before = try dropIn.set("start-page.name", to: "\"Ward *3*: \\\"east\\\"\"")
        _ = try dropIn.set("browser.allow", to: "[https://a.example, b.example]")
        _ = try dropIn.set("keep-receipts", to: "30d")
        let settings = try #require(await scene.load().parsed?.settings)
        #expect(settings.barrier.hard == .seconds(6) && settings.startPage.name == #"Ward *3*: "east""#)
        #expect(settings.browser.allow == ["https://a.example", "b.example"])
        #expect(dropIn.holds("keep-receipts") && !dropIn.holds("mode"))
        _ = try dropIn.set("keep-receipts", to: nil)
        #expect(!dropIn.holds("keep-receipts"))
        try dropIn.restore(before)
        let restored = try #require(await scene.load().parsed?.settings)
        #expect(restored.barrier.hard == .seconds(6) && restored.startPage.name.isEmpty)
        for wrong in ["", "~", "[", "a: b: c"] {
            #expect(throws: AccountsFile.Fault.self, "\(wrong)") { try dropIn.set("mode", to: wrong) }
        }
    }
}
