import Baton
import BusTesting
import CLinux
import DBus
import FolderTesting
import GRDB
import Glibc
import LocalAccounts
import TerminalTesting
import Testing

@Suite("Local accounts on a running device", .timeLimit(.minutes(4)))
struct PINTests {
    @Test func `a wrong PIN, an unknown worker and no PIN are answered alike`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let peer = try await Peer(terminal)
        var texts: Set<String> = []
        for (name, pin) in [("ana", "9999"), ("nobody", "1234"), ("bo", "1234")] {
            do {
                try await peer.signIn(name, pin: pin)
                Issue.record("\(name) got in")
            } catch let error as DBusError {
                #expect(error.name?.rawValue == "org.baton.Error.NotAuthorized")
                texts.insert("\(error)")
            }
        }
        #expect(texts.count == 1)
        // Nor does the time that it takes tell them apart: each try is written, an unknown name without its name.
        let database = try DatabaseQueue(path: "\(terminal.folder)/state/baton/baton.sqlite")
        let rows = try await database.read { db in
            try String.fetchAll(db, sql: "SELECT username FROM pin_attempts ORDER BY username")
        }
        #expect(rows == ["*", "ana/other", "bo/other"])
        #expect(
            try await peer.refusal { _ = try await peer.call(Device1.signIn, ["username": .string("ana")]) }
                == "NotAuthorized")
        #expect(try await peer.refusal { _ = try await peer.call(Device1.signIn, [:]) } == "InvalidArgument")
        // A right one forgets the wrong ones.
        try await peer.signIn("ana", pin: "1234")
        withExtendedLifetime(daemon) {}
    }

    @Test func `answers slow down after three wrong PINs`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let peer = try await Peer(terminal)
        for _ in 1...3 {
            #expect(try await peer.refusal { try await peer.signIn("ana", pin: "0000") } == "NotAuthorized")
        }
        let clock = ContinuousClock()
        let took = try await clock.measure { try await peer.signIn("ana", pin: "1234") }
        #expect(took > .milliseconds(800))
        withExtendedLifetime(daemon) {}
    }

    @Test func `a locked account stays locked over a restart, and only that one`() async throws {
        let terminal = try Terminal()
        var daemon = try await terminal.startDaemon()
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let until = Int64(now.tv_sec + 200) * 1_000_000
        do {
            let database = try DatabaseQueue(path: "\(terminal.folder)/state/baton/baton.sqlite")
            try await database.write {
                let columns = "username, failures, last_failure, locked_until"
                try $0.execute(
                    sql: "INSERT INTO pin_attempts (\(columns)) VALUES ('ana/other', 0, 1, ?)", arguments: [until])
            }
            try database.close()
        }
        for _ in 1...2 {
            daemon = try await terminal.startDaemon()
            let peer = try await Peer(terminal)
            do {
                try await peer.signIn("ana", pin: "1234")
                Issue.record("a locked account got in")
            } catch let error as DBusError {
                #expect("\(error)".contains("Too many wrong PINs"))
            }
            await daemon.kill()
        }
        daemon = try await terminal.startDaemon()
        try await Peer(terminal).signIn("bo", pin: "5678")
        withExtendedLifetime(daemon) {}
    }

    @Test func `while a worker holds the device, no other worker's PIN is tried`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let peer = try await Peer(terminal)
        try await peer.signIn("ana", pin: "1234")
        for pin in ["0000", "5678"] {
            #expect(try await peer.refusal { try await peer.signIn("bo", pin: pin) } == "AccountMismatch")
        }
        #expect(try await peer.refusal { try await peer.signIn("ana", pin: "0000") } == "NotAuthorized")
        let database = try DatabaseQueue(path: "\(terminal.folder)/state/baton/baton.sqlite")
        let rows = try await database.read { try String.fetchAll($0, sql: "SELECT username FROM pin_attempts") }
        #expect(rows == ["ana/other"])
        withExtendedLifetime(daemon) {}
    }

    @Test func `no process keeps a worker from the start page, and wrong PINs are told`() async throws {
        let terminal = try Terminal(settings: Terminal.quick + "agent: {start: false}\n")
        let daemon = try await terminal.startDaemon(agent: false)
        let agent = try await FakeAgent(terminal)
        try await daemon.line(containing: "the agent has registered")
        let peer = try await Peer(terminal)
        for _ in 1...4 {
            #expect(try await peer.refusal { try await peer.signIn("ana", pin: "0000") } == "NotAuthorized")
        }
        try await daemon.line(containing: "a user name or PIN was wrong", count: 4)
        #expect(daemon.output.contains("tries=4") && daemon.output.contains("account=a..."), "\(daemon.output)")
        let doctor = try await terminal.batonctl("doctor")
        #expect(doctor.output.contains("0 accounts are locked, 4 wrong PINs"), "\(doctor.output)")
        // Its next try takes two seconds, for which the page does not wait.
        let trying = Task { try await peer.refusal { try await peer.signIn("ana", pin: "0000") } }
        let watcher = try await Peer(terminal)
        try await watcher.waitForPhase(.signingIn)
        try await agent.peer.signIn("ana", pin: "1234")
        #expect(try await trying.value == "UserCanceled")
        withExtendedLifetime(daemon) {}
    }

    @Test func `a PIN that is too short is not taken`() async throws {
        let terminal = try Terminal(accounts: false)
        let short = try await terminal.batonctl("account", "add", "cy", "--pin-stdin", input: "123")
        #expect(short.status == 1 && short.output.contains("at least 4"), "\(short.output)")
        #expect(try await terminal.batonctl("account", "add", "cy", "--pin-stdin", input: "1234").status == 0)
        try terminal.write("identity: {least-pin-length: 6, accounts: []}\n", to: "config/baton/baton.yaml")
        let five = try await terminal.batonctl("account", "add", "di", "--pin-stdin", input: "12345")
        #expect(five.status == 1 && five.output.contains("at least 6"), "\(five.output)")
    }

    @Test func `a hash is made of no PIN that the settings call too short`() async throws {
        let terminal = try Terminal(accounts: false)
        func hash(_ pin: String, _ options: String...) async throws -> (status: Int32, output: String) {
            let program = try terminal.run(
                ["sh", "-c", "printf %s \(pin) | batonctl hash-pin --pin-stdin \(options.joined(separator: " "))"])
            return (await program.end(), program.output)
        }
        #expect(try await hash("123").status == 1)
        let plain = try await hash("1234")
        #expect(plain.status == 0 && plain.output.hasPrefix("scrypt$"), "\(plain.output)")
        // The file in its usual place, and one that is named.
        try terminal.write("identity: {least-pin-length: 6, accounts: []}\n", to: "config/baton/baton.yaml")
        let usual = try await hash("12345")
        #expect(usual.status == 1 && usual.output.contains("at least 6"), "\(usual.output)")
        #expect(try await hash("123456").status == 0)
        try terminal.write("identity: {least-pin-length: 8}\n", to: "other.yaml")
        let named = try await hash("1234567", "--config", "\(terminal.folder)/other.yaml")
        #expect(named.status == 1 && named.output.contains("at least 8"), "\(named.output)")
        #expect(try await hash("12345678", "--config", "\(terminal.folder)/other.yaml", "--json").status == 0)
        let missing = try await hash("12345678", "--config", "\(terminal.folder)/none.yaml")
        #expect(missing.status != 0 && missing.output.contains("none.yaml"), "\(missing.output)")
    }

    @Test func `a PIN comes by a pipe or a sealed memory file and by nothing else`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let peer = try await Peer(terminal)
        func signIn(_ descriptor: Int32) async throws -> String? {
            let owned = OwnedDescriptor(owning: descriptor)
            return try await peer.refusal {
                _ = try await peer.call(Device1.signIn, ["username": .string("ana"), "pin": .descriptor(owned)])
            }
        }
        try terminal.write("1234", to: "pin")
        #expect(try await signIn(open("\(terminal.folder)/pin", O_RDONLY)) == "InvalidArgument")
        #expect(try await signIn(open("/dev/null", O_RDONLY)) == "InvalidArgument")
        let memory = baton_memfd_create("pin")
        write(memory, "1234", 4)
        #expect(try await signIn(memory) == "InvalidArgument")
        #expect(
            try await peer.refusal {
                _ = try await peer.call(Device1.signIn, ["username": .string("ana"), "pin": .string("1234")])
            } == "InvalidArgument")
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        write(ends[1], "1234\n", 5)
        close(ends[1])
        #expect(try await signIn(ends[0]) == nil)
        withExtendedLifetime(daemon) {}
    }

    @Test func `a PIN is nowhere to be found afterwards`() async throws {
        let terminal = try Terminal(accounts: false)
        let daemon = try await terminal.startDaemon(["--log-level", "trace"])
        let canary = "canary-73915-pin"
        let added = try await terminal.batonctl("account", "add", "cy", "--pin-stdin", input: canary)
        #expect(added.status == 0, "\(added.output)")
        let peer = try await Peer(terminal)
        #expect(try await peer.refusal { try await peer.signIn("cy", pin: canary + "x") } == "NotAuthorized")
        try await peer.signIn("cy", pin: canary)
        for pid in [daemon.pid] + childrenOf(daemon.pid) {
            #expect(contents("/proc/\(pid)/cmdline")?.contains(canary) == false)
            // Nobody but root may look into it, which is more than this asks for.
            #expect(contents("/proc/\(pid)/environ")?.contains(canary) != true)
        }
        _ = try await peer.signOut()
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
        #expect(!daemon.output.contains(canary))
        let search = try terminal.run(["grep", "-rl", "canary-73915", terminal.folder])
        #expect(await search.end() == 1, "\(search.output)")
    }

    @Test func `a PIN is typed without an echo`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let script = """
            import os, pty, sys
            pid, fd = pty.fork()
            if pid == 0:
                os.execvp(sys.argv[1], [sys.argv[1], "sign-in", "ana"])
            seen = b""
            while b"PIN: " not in seen: seen += os.read(fd, 1024)
            os.write(fd, b"12x\\x7f34\\r")
            try:
                while True:
                    more = os.read(fd, 1024)
                    if not more: break
                    seen += more
            except OSError: pass
            print(repr(seen))
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """
        let program = try terminal.run(["python3", "-c", script, "\(Terminal.binaries)/batonctl"])
        #expect(await program.end() == 0, "\(program.output)")
        #expect(program.output.contains("Ana Horvat"))
        #expect(!program.output.contains("1234"), "\(program.output)")
        withExtendedLifetime(daemon) {}
    }
}
