import Baton
import BusTesting
import Glibc
import TerminalTesting
import Testing

@Suite("batonctl against a running device", .timeLimit(.minutes(4)))
struct CommandTests {
    /// Any program of the user may have Baton's name on the session's bus.
    @Test func `a terminal that has batond on its system bus is asked there, whatever the session's bus has`()
        async throws
    {
        let (system, session) = (try Terminal(), try Terminal())
        let (installed, stray) = (try await system.startDaemon(), try await session.startDaemon())
        try await Peer(system).signIn("ana", pin: "1234")
        func status(_ bus: String) async throws -> String {
            let command = try session.run(
                ["batonctl", "status"], environment: ["BATON_BUS": "", "DBUS_SYSTEM_BUS_ADDRESS": bus])
            _ = await command.end()
            return command.output
        }
        let there = try await status(system.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "")
        #expect(there.contains("Ana Horvat"), "\(there)")
        let elsewhere = try await status("unix:path=\(session.folder)/nobody")
        #expect(elsewhere.contains("ready"), "\(elsewhere)")
        await installed.kill()
        await stray.kill()
    }

    /// The keys at one depth of indented JSON, in their order.
    private func keys(_ text: String, depth: Int) -> [String] {
        let indent = String(repeating: "  ", count: depth)
        return text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix(indent + "\"") else { return nil }
            return line.dropFirst(indent.count + 1).split(separator: "\"").first.map { String($0) }
        }
    }

    @Test func `a participant whose words nobody reads any more clears and acknowledges all the same`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let app = try terminal.run([
            // The reader takes one line and goes.
            "bash", "-c",
            "exec \(Terminal.binaries)/batonctl participate org.example.Script --clear true > >(exec head -n 1)",
        ])
        try await app.line(containing: "participate: ready")
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        let out = try await terminal.batonctl("sign-out")
        #expect(out.status == 0 && out.output.contains("Every app cleared"), "\(out.output)")
        await app.kill()
        await daemon.kill()
    }

    @Test func `a participant's lines for a program are its standard output, and its commands' words are not`()
        async throws
    {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let app = try terminal.run([
            "sh", "-c",
            "exec batonctl participate org.example.Script --json --signed-in 'echo one; exit 3' --clear 'echo two' "
                + "2>\(terminal.folder)/errors",
        ])
        #expect(try await app.line(containing: "ready").hasPrefix(#"{"event":"ready","time":"#))
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        try await app.line(containing: #""event":"signed-in-failed","problem":"ended with exit code 3""#)
        #expect(try await terminal.batonctl("sign-out").status == 0)
        try await app.line(containing: #""event":"cleared","outcome":"cleared""#)
        #expect(app.output.contains(#""event":"signed-in""#) && app.output.contains(#""username":"ana""#))
        #expect(
            app.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }, "\(app.output)")
        app.signal(SIGTERM)
        #expect(await app.end() == 0)
        let errors = try terminal.run(["cat", "\(terminal.folder)/errors"])
        _ = await errors.end()
        #expect(errors.output.contains("one\n") && errors.output.contains("two"), "\(errors.output)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `every command says what it did and ends with the right code`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let ctl = { (arguments: [String]) async throws -> (status: Int32, output: String) in
            let program = try terminal.run(["batonctl"] + arguments)
            return (await program.end(), program.output)
        }
        let app = try terminal.run(["batonctl", "participate", "org.example.Script", "--clear", "true"])
        try await app.line(containing: "participate: ready")
        #expect(try await ctl(["status"]).output.contains("ready for the next worker"))
        #expect(try await ctl(["receipts"]).output == "There are no receipts yet.")
        #expect(try await ctl(["keep-signed-in"]).status == 1)
        #expect(try await ctl(["sign-out"]).output == "No worker is signed in; there is nothing to do.")
        #expect(try await ctl(["reset"]).status == 1)
        let wrong = try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "4321")
        #expect(wrong.status == 1)
        #expect(wrong.output == "The user name or the PIN is wrong.")
        let signIn = try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234")
        #expect(signIn.status == 0)
        #expect(signIn.output.hasPrefix("Ana Horvat (ana) holds the device (turn "))
        let second = try await terminal.batonctl("sign-in", "bo", "--pin-stdin", input: "5678")
        #expect(second.status == 1)
        #expect(try await ctl(["status"]).output.contains("Ana Horvat (ana), turn"))
        #expect(try await ctl(["account"]).output.hasPrefix("Current:  Ana Horvat (ana)\nPrevious: "))
        #expect(try await ctl(["keep-signed-in"]).status == 0)
        #expect(try await ctl(["--session", "keep-signed-in", "--json"]).output.contains(#""kept" : true"#))
        #expect(try await ctl(["apps", "forget", "--all", "--json"]).output.contains(#""forgotten" : ["#))
        #expect(try await ctl(["apps"]).output.contains("org.example.Script"))
        #expect(try await ctl(["apps", "forget", "org.example.Unknown"]).status == 1)
        let out = try await ctl(["sign-out"])
        #expect(out.status == 0, "\(out.output)")
        #expect(out.output.contains("cleared"))
        try await app.line(containing: "participate: cleared")
        let receipts = try await ctl(["receipts"])
        #expect(receipts.output.contains("cleared"))
        #expect(try await ctl(["receipts", "1"]).status == 1)
        #expect(try await ctl(["reload"]).status == 0)
        for arguments in [
            ["sign-out", "--reason", "tired"], ["receipts", "--newest", "0"], ["no-such"], ["receipts", "x"],
            ["--session", "--system", "status"],
            ["device-mode", "set", "unknown"], ["sign-in"],
        ] { #expect(try await ctl(arguments).status == 64, "\(arguments)") }
        for arguments in [["status"], ["reload"], ["sign-out"], ["watch"]] {
            let result = try await ctl(arguments + ["--bus", "unix:path=/nonexistent/bus"])
            #expect(result.status == 69, "\(arguments): \(result.output)")
        }
        app.signal(SIGTERM)
        #expect(await app.end() == 0)
        daemon.signal(SIGTERM)
        #expect(await daemon.end() == 0)
        for arguments in [["status"], ["device-mode"], ["sign-out"], ["receipts"], ["apps"], ["reset"]] {
            let (status, output) = try await ctl(arguments)
            #expect(status == 69, "\(arguments)")
            #expect(output.contains("does not run on the session bus; start it with `batond --session`"), "\(output)")
        }
        #expect(try await terminal.batonctl("account", "add", "cy", "--pin-stdin", input: "1111").status == 0)
        try terminal.write("identity: [", to: "config/baton/baton.yaml")
        #expect(try await terminal.batonctl("account", "add", "di", "--pin-stdin", input: "1111").status == 78)
    }

    @Test func `a command that waits for batond says at once that it is missing`() async throws {
        let terminal = try Terminal()
        for arguments in [
            ["watch"], ["participate", "org.example.Script", "--clear", "true"],
            ["run", "--app", "org.example.Run", "--", "true"],
        ] {
            let command = try terminal.run(["batonctl"] + arguments)
            try await command.line(
                containing: "batond does not run on the session bus; waiting for it. Start it with `batond --session`.")
            command.signal(SIGINT)
            _ = await command.end()
        }
    }

    @Test func `a BATON_BUS that names no bus is named`() async throws {
        let terminal = try Terminal()
        let command = try terminal.run(["batonctl", "status"], environment: ["BATON_BUS": "sesion"])
        #expect(await command.end() == 69)
        #expect(command.output.contains("BATON_BUS is 'sesion'"), "\(command.output)")
    }

    @Test func `personal mode's refusal names the command that ends it`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        #expect(try await terminal.batonctl("device-mode", "set", "default").status == 0)
        let refused = try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234")
        #expect(refused.output.contains("`batonctl device-mode set shared`"), "\(refused.output)")
        #expect(try await terminal.batonctl("status").output.contains("workers do not sign in here"))
        withExtendedLifetime(daemon) {}
    }

    @Test func `a session that does not tell of input is a warning, unless idle workers may stay`() async throws {
        let words = "idle workers are not signed out"
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        try await eventually { try await terminal.batonctl("status", "--json").output.contains(words) }
        try terminal.configure(Terminal.quick + "automatic-sign-out: {idle: 20min}\n")
        let check = try terminal.run(["batond", "--check", "--session"])
        #expect(await check.end() == 0)
        #expect(!check.output.contains("automatic-sign-out"), "\(check.output)")
        try terminal.configure(Terminal.quick + "automatic-sign-out: {idle: off}\n")
        #expect(try await terminal.batonctl("reload").status == 0)
        try await eventually { try await !terminal.batonctl("status", "--json").output.contains(words) }
        withExtendedLifetime(daemon) {}
    }

    @Test func `account list shows the accounts of the settings, and never a PIN`() async throws {
        let terminal = try Terminal()
        let people = try await terminal.batonctl("account", "list")
        #expect(people.output == "ana  Ana Horvat\nbo   Bo Larsen", "\(people.output)")
        let programs = try await terminal.batonctl("--session", "account", "list", "--json")
        #expect(programs.status == 0 && programs.output.contains(#""username" : "ana""#), "\(programs.output)")
        #expect(programs.output.contains(#""has-pin" : true"#) && !programs.output.contains("scrypt"))
        let added = try await terminal.batonctl("account", "add", "cy", "--pin-stdin", "--json", input: "7777")
        #expect(added.output.contains(#""username" : "cy""#) && added.output.contains(#""file" : "#), "\(added.output)")
    }

    @Test func `status as JSON keeps its keys`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let peer = try await Peer(terminal)
        try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        try await peer.signIn("bo", pin: "5678")
        let app = try await terminal.startSilentApp("org.example.A")
        let text = try await terminal.batonctl("status", "--json").output
        #expect(keys(text, depth: 1) == ["current", "device", "last-receipt", "participants", "previous"])
        let account = ["environment", "home-account-id", "id", "locale", "name", "tenant", "username"]
        let device = [
            "agent", "agent-required", "boot-id", "browser", "bus", "containment", "countdown-ends",
            "device-id", "epoch", "explanation", "hostname",
            "identity", "idle", "issuer", "journal-id", "lock-ends", "locked-accounts", "missing", "mode",
            "participants", "phase",
            "session", "since", "started", "tenant", "version", "warnings", "wrong-pins",
        ]
        let receipt = [
            "account", "browser", "browser-checks", "browser-explanation", "debts", "ended", "epoch", "explanation",
            "journal-id",
            "milliseconds", "outcome", "participants", "provider", "provider-explanation", "reason", "rejected",
            "restarts", "shared", "started", "tokens", "tokens-explanation",
        ]
        #expect(keys(text, depth: 2) == account + device + receipt + account)
        #expect(!text.contains("\u{1B}"))
        await app.kill()
        withExtendedLifetime(daemon) {}
    }

    @Test func `watch prints one line for each event`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let people = try terminal.run(["batonctl", "watch"])
        let programs = try terminal.run(["batonctl", "watch", "--json"])
        try await people.line(containing: "Baton is running.")
        try await programs.line(containing: "appeared")
        let peer = try await Peer(terminal)
        let epoch = try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        try await people.line(containing: "is signed out (turn \(epoch)): cleared.")
        let signedIn = try await people.line(containing: "Ana Horvat (ana) signed in (turn \(epoch)).")
        let shape = String(signedIn.prefix(19).map { $0.isNumber ? "0" : $0 })
        #expect(shape == "0000-00-00 00:00:00", "\(signedIn)")
        #expect(try await programs.line(containing: "appeared").contains(#""time":"#))
        let line = try await programs.line(containing: #""event":"signed-out""#)
        #expect(line.contains(#""epoch":\#(epoch)"#) && line.contains(#""outcome":"cleared""#))
        #expect(try await programs.line(containing: #""event":"signing-out""#).contains(#""reason":"user""#))
        #expect(try await programs.line(containing: #""event":"signed-in""#).contains(#""username":"ana""#))
        await daemon.kill()
        try await people.line(containing: "Baton is gone")
        try await programs.line(containing: "vanished")
        let again = try await terminal.startDaemon()
        try await people.line(containing: "Baton is running.", count: 2)
        for program in [people, programs] {
            program.signal(SIGINT)
            #expect(await program.end() == 0)
            #expect(!program.output.contains("\u{1B}"))
        }
        for line in programs.output.split(separator: "\n") { #expect(line.hasPrefix("{") && line.hasSuffix("}")) }
        withExtendedLifetime(again) {}
    }

    @Test func `colours are for a terminal that wants them`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let command = "script -qec '\(Terminal.binaries)/batonctl status' /dev/null"
        let plain = try terminal.run(["sh", "-c", command], environment: ["TERM": "xterm"])
        #expect(await plain.end() == 0)
        #expect(!plain.output.contains("\u{1B}["))
        let coloured = try terminal.run(["sh", "-c", command], environment: ["TERM": "xterm", "NO_COLOR": ""])
        #expect(await coloured.end() == 0)
        #expect(coloured.output.contains("\u{1B}["))
        let piped = try terminal.run(["batonctl", "status"], environment: ["TERM": "xterm", "NO_COLOR": ""])
        #expect(await piped.end() == 0)
        #expect(!piped.output.contains("\u{1B}["))
        withExtendedLifetime(daemon) {}
    }
}
