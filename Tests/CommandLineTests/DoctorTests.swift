import BusTesting
import Glibc
import TerminalTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct DoctorTests {
    /// The lines that are about one thing.
    private func lines(_ output: String, _ check: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { line in
            line.split(separator: " ").dropFirst().first.map { $0 == check } ?? false
        }
    }

    @Test func `it names what runs and finds no fault with it`() async throws {
        let terminal = try Terminal()
        chmod("\(terminal.folder)/config/baton/baton.yaml", 0o600)
        let daemon = try await terminal.startDaemon()
        let (status, output) = try await terminal.batonctl("doctor", "--session")
        for check in ["bus", "daemon", "owner", "journal", "settings", "kernel", "agent", "browser"] {
            #expect(lines(output, check).contains { $0.hasPrefix("ok ") }, "\(check): \(output)")
        }
        // What this machine is cannot be known here; 1 would say that something is wrong.
        #expect(status == 0 || status == 2, "\(output)")
        #expect((status == 0) == output.contains("All is well."))
        withExtendedLifetime(daemon) {}
    }

    @Test func `without a bus and without batond it says what to start`() async throws {
        let terminal = try Terminal()
        let (status, output) = try await terminal.batonctl("doctor")
        #expect(status == 1)
        #expect(lines(output, "daemon").first?.hasPrefix("wrong") == true)
        #expect(output.contains("batond --session"))
        let nothing = try terminal.run(
            ["batonctl", "doctor", "--session"], environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
        #expect(await nothing.end() == 1)
        #expect(lines(nothing.output, "bus").first?.hasPrefix("wrong") == true)
        // The rest is looked at all the same.
        #expect(lines(nothing.output, "kernel").first?.hasPrefix("ok") == true)
    }

    @Test func `settings with a fault are told with file, line and key`() async throws {
        let terminal = try Terminal(settings: "barrier: {soft: soon}\n", accounts: false)
        let (status, output) = try await terminal.batonctl("doctor")
        #expect(status == 1)
        #expect(lines(output, "settings").first?.contains("baton.yaml:1") == true, "\(output)")
        #expect(lines(output, "settings").first?.contains("soft") == true)
    }

    @Test func `a journal that others can read and an agent that is away are wrong`() async throws {
        let terminal = try Terminal(settings: "agent: {start: false}\n" + Terminal.quick)
        let daemon = try await terminal.startDaemon(agent: false)
        chmod("\(terminal.folder)/state/baton", 0o755)
        let (status, output) = try await terminal.batonctl("doctor")
        #expect(status == 1)
        #expect(lines(output, "journal").first?.contains("chmod 0700") == true, "\(output)")
        #expect(lines(output, "agent").first?.hasPrefix("wrong") == true)
        withExtendedLifetime(daemon) {}
    }

    @Test func `a quarantine is wrong with its reason, and what a reset moved aside is told`() async throws {
        let terminal = try Terminal()
        mkdir("\(terminal.folder)/state/baton", 0o700)
        try terminal.write("nothing that Baton wrote", to: "state/baton/baton.sqlite")
        let daemon = try await terminal.startDaemon()
        let (status, output) = try await terminal.batonctl("doctor")
        #expect(status == 1)
        let phase = lines(output, "phase").first
        #expect(phase?.hasPrefix("wrong") == true && phase?.contains("baton.sqlite") == true, "\(output)")
        #expect(phase?.contains("batonctl reset") == true)

        #expect(try await terminal.batonctl("reset").status == 0)
        let after = try await terminal.batonctl("doctor")
        #expect(lines(after.output, "phase").isEmpty, "\(after.output)")
        let aside = lines(after.output, "journal").first { $0.hasPrefix("warning") }
        #expect(aside?.contains("\(terminal.folder)/state/baton/baton.sqlite") == true, "\(after.output)")
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: [("pidfd_open", "pidfd"), ("openat2", "openat2"), ("memfd_create", "memfd")])
    func `what the kernel lacks is wrong, by its name`(_ call: String, _ feature: String) async throws {
        let terminal = try Terminal()
        let (status, output) = try await doctor(on: terminal, with: "\(call):error=ENOSYS")
        #expect(status == 1, "\(output)")
        let kernel = lines(output, "kernel").first
        #expect(kernel?.hasPrefix("wrong") == true && kernel?.contains("has no \(feature) ") == true, "\(output)")
    }

    @Test func `a clock that nothing keeps is told, and one that is kept is right`() async throws {
        let terminal = try Terminal()
        // TIME_ERROR, and TIME_OK.
        let free = try await doctor(on: terminal, with: "adjtimex,clock_adjtime:retval=5")
        #expect(lines(free.output, "clock").first?.hasPrefix("warning") == true, "\(free.output)")
        let kept = try await doctor(on: terminal, with: "adjtimex,clock_adjtime:retval=0")
        #expect(lines(kept.output, "clock").first?.hasPrefix("ok") == true, "\(kept.output)")
    }

    /// Doctor on a kernel that answers some calls otherwise.
    private func doctor(on terminal: Terminal, with fault: String) async throws -> (status: Int32, output: String) {
        let program = try terminal.run([
            "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "inject=\(fault)",
            "\(Terminal.binaries)/batonctl", "doctor",
        ])
        return (await program.end(), program.output)
    }

    @Test func `a clock that was set back since the last sign-out is wrong`() async throws {
        let terminal = try Terminal()
        var daemon = try await terminal.startDaemon()
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        #expect(try await terminal.batonctl("sign-out").status == 0)
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
        let later = try terminal.run([
            "python3", "-c",
            """
            import sqlite3, sys
            journal = sqlite3.connect(sys.argv[1])
            journal.execute("UPDATE receipts SET value = json_set(value, '$.ended', 9000000000000000)")
            journal.commit()
            """, "\(terminal.folder)/state/baton/baton.sqlite",
        ])
        #expect(await later.end() == 0, "\(later.output)")
        daemon = try await terminal.startDaemon()
        let (status, output) = try await terminal.batonctl("doctor")
        #expect(status == 1)
        let clock = lines(output, "clock").first
        #expect(clock?.hasPrefix("wrong") == true && clock?.contains("from the future") == true, "\(output)")
        withExtendedLifetime(daemon) {}
    }

    @Test(.needsMounts)
    func `a disk that is nearly full is told before the journal cannot be written`() async throws {
        let terminal = try Terminal()
        let state = "\(terminal.folder)/state"
        try #require(mount("tmpfs", state, "tmpfs", 0, "size=8m") == 0)
        defer { umount2(state, Int32(MNT_DETACH)) }
        let daemon = try await terminal.startDaemon()
        let (_, output) = try await terminal.batonctl("doctor")
        let disk = lines(output, "disk").first
        #expect(disk?.hasPrefix("warning") == true && disk?.contains("32 MiB") == true, "\(output)")
        await daemon.kill()
    }

    @Test func `the browser is looked for where the settings have it`() async throws {
        let terminal = try Terminal(settings: "")
        let browser = "\(terminal.folder)/data/a-browser"
        try terminal.configure(
            "agent: {required: false, start: false}\nbrowser: {kind: chromium, executable: \(browser)}\n")
        let daemon = try await terminal.startDaemon(agent: false)
        func look() async throws -> String? {
            // None of the browser's own names is in this path.
            let program = try terminal.run(["batonctl", "doctor"], environment: ["PATH": Terminal.binaries])
            _ = await program.end()
            return lines(program.output, "browser").first
        }
        let missing = try await look()
        #expect(
            missing?.hasPrefix("wrong") == true && missing?.contains("browser.executable") == true, "\(missing ?? "")")
        #expect(missing?.contains(browser) == true)
        try terminal.write("#!/bin/sh\n", to: "data/a-browser")
        chmod(browser, 0o755)
        let there = try await look()
        #expect(there?.hasPrefix("ok") == true && there?.contains(browser) == true, "\(there ?? "")")
        withExtendedLifetime(daemon) {}
    }

    @Test func `an agent that the settings do not ask for is no fault`() async throws {
        let terminal = try Terminal(settings: "agent: {required: false, start: false}\n")
        let daemon = try await terminal.startDaemon(agent: false)
        let (status, output) = try await terminal.batonctl("doctor")
        #expect(lines(output, "agent").first?.hasPrefix("ok") == true, "\(output)")
        #expect(status == 0 || status == 2, "\(output)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `its JSON has a row for each look`() async throws {
        let terminal = try Terminal()
        let program = try terminal.run([
            "sh", "-c",
            #"\#(Terminal.binaries)/batonctl doctor --json | python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["well"], all(set(f)=={"check","state","text","advice"} for f in d["findings"]), [f["state"] for f in d["findings"] if f["check"]=="daemon"])'"#,
        ])
        #expect(await program.end() == 0)
        #expect(program.output == "False True ['wrong']")
    }
}
