import Baton
import BusTesting
import FoundationEssentials
import Glibc
import TerminalTesting
import Testing

@Suite("The program batond", .timeLimit(.minutes(4)))
struct ProgramTests {
    private func run(_ terminal: Terminal, _ arguments: String...) async throws -> (status: Int32, output: String) {
        let program = try terminal.run(["batond"] + arguments)
        let status = await program.end()
        return (status, program.output)
    }

    @Test func `a second one on the same bus says so and ends with 69`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let second = try await run(terminal, "--session", "--state", "\(terminal.folder)/other")
        #expect(second.status == 69)
        #expect(second.output.contains("another batond owns org.baton.Device1"))
        #expect(!terminal.exists("other/baton.sqlite"))
        withExtendedLifetime(daemon) {}
    }

    @Test func `a second one with the same state folder says so and ends with 69`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let bus = try PrivateBus()
        let second = try await run(terminal, "--bus", bus.rawAddress)
        #expect(second.status == 69)
        #expect(second.output.contains("\(terminal.folder)/state/baton/lock"))
        withExtendedLifetime(daemon) {}
    }

    @Test func `without a bus it ends with 69`() async throws {
        let terminal = try Terminal()
        let result = try await run(terminal, "--bus", "unix:path=\(terminal.folder)/nothing")
        #expect(result.status == 69)
        #expect(result.output.contains("cannot connect to the bus"))
        #expect(!terminal.exists("state/baton/baton.sqlite"))
    }

    @Test func `wrong settings end the check and the start alike with 78, file, line and key`() async throws {
        let terminal = try Terminal(settings: "\nbarrier:\n  sofd: 1s\n  hard: soon\n", accounts: false)
        for arguments in [["--session", "--check"], ["--session"]] {
            let program = try terminal.run(["batond"] + arguments)
            #expect(await program.end() == 78)
            let file = "\(terminal.folder)/config/baton/baton.yaml"
            #expect(program.output.contains("\(file):3: barrier.sofd"), "\(program.output)")
            #expect(program.output.contains("\(file):4: barrier.hard"), "\(program.output)")
        }
        #expect(!terminal.exists("state/baton/baton.sqlite"))
    }

    @Test func `the check says to programs what is wrong, and where`() async throws {
        let terminal = try Terminal(
            settings: "browser: {kind: chromium, executable: /nowhere/chromium}\n",
            apps: ["org.example.Till": "wipes: [/]\n"])
        let result = try await run(terminal, "--session", "--check", "--json")
        #expect(result.status == 78, "\(result.output)")
        let folder = "\(terminal.folder)/config/baton"
        let check = try JSONDecoder().decode(SettingsCheck.self, from: Data(result.output.utf8))
        let fault = try #require(check.faults.first)
        #expect(fault.origin == "\(folder)/apps.d/org.example.Till.yaml" && fault.line == 1 && fault.key == "wipes")
        #expect(fault.text.hasPrefix("\(folder)/apps.d/org.example.Till.yaml:1: wipes: "), "\(fault)")
        #expect(check.faults.count == 1 && fault.unreadableFile == nil)
        #expect(
            check.warnings.map(\.key) == ["browser.executable"]
                && check.warnings.first?.origin == "\(folder)/baton.yaml")
        let alone = try await run(terminal, "--session", "--json")
        #expect(alone.status == 64 && alone.output.contains("--check"), "\(alone.output)")
    }

    @Test func `right settings are told to programs without faults`() async throws {
        let terminal = try Terminal()
        let result = try await run(terminal, "--session", "--check", "--json")
        #expect(result.status == 0 && result.output == #"{"faults":[],"unknown":[],"warnings":[]}"#, "\(result.output)")
    }

    @Test func `the check warns of what this machine lacks, and passes`() async throws {
        let terminal = try Terminal(
            settings: "browser: {kind: chromium, executable: /nowhere/chromium}\n",
            apps: ["org.example.Till": "command: /nowhere/till\n"])
        let result = try await run(terminal, "--session", "--check")
        #expect(result.status == 0)
        #expect(result.output.contains("browser.executable: there is no program /nowhere/chromium"), "\(result.output)")
        #expect(result.output.contains("org.example.Till.yaml: there is no program /nowhere/till"), "\(result.output)")
    }

    @Test func `right settings pass the check`() async throws {
        let terminal = try Terminal()
        let result = try await run(terminal, "--session", "--check")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("The settings are valid."))
    }

    @Test func `a state folder that cannot be made ends it with 74`() async throws {
        let terminal = try Terminal()
        try terminal.write("", to: "file")
        let result = try await run(terminal, "--session", "--state", "\(terminal.folder)/file/below")
        #expect(result.status == 74, "\(result.output)")
    }

    @Test func `it explains itself and its settings and shows its contract`() async throws {
        let terminal = try Terminal()
        let help = try await run(terminal, "--help")
        #expect(help.status == 0)
        #expect(help.output.contains("batond --session"))
        let settings = try await run(terminal, "--help-settings")
        #expect(settings.status == 0)
        #expect(settings.output.contains("#barrier:"))
        let contract = try await run(terminal, "--introspect")
        #expect(contract.status == 0)
        #expect(contract.output.contains("org.baton.Device1.Participants"))
        let version = try await run(terminal, "--version")
        #expect(version.status == 0)
        #expect(!version.output.isEmpty)
        let journal = try await run(terminal, "--journal-version")
        #expect(journal.status == 0)
        #expect(Int(journal.output.filter { !$0.isWhitespace }) != nil)
        #expect(try await run(terminal).status == 64)
        #expect(try await run(terminal, "--session", "--system").status == 64)
        #expect(try await run(terminal, "--session", "--log-level", "loud").status == 64)
    }

    @Test func `it tells systemd when it is ready and when it stops`() async throws {
        let terminal = try Terminal()
        let path = "\(terminal.folder)/notify"
        let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { field in
            for (index, byte) in path.utf8.enumerated() { field[index] = byte }
        }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        func received() -> String? {
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = recv(file, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
        }
        let daemon = try terminal.run(["batond", "--session"], environment: ["NOTIFY_SOCKET": path])
        try await daemon.line(containing: "] ready")
        #expect(received() == "READY=1")
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
        #expect(received() == "STOPPING=1")
    }

    @Test func `nothing is left running when it stops`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let children = childrenOf(daemon.pid)
        #expect(children.count == 1)
        daemon.signal(SIGINT)
        #expect(await daemon.end() == 0)
        for child in children { await waitUntilGone(child) }
        // The file alone is the whole journal then.
        #expect(!terminal.exists("state/baton/baton.sqlite-wal"))
    }
}
