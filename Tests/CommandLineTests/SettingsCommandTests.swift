import Baton
import FolderTesting
import Glibc
import TerminalTesting
import Testing

/// The settings on the command line: what is made and where, and a change that batond takes or refuses.
@Suite("batonctl settings", .timeLimit(.minutes(3)))
struct SettingsCommandTests {
    private static let settings = "agent: {required: false, start: false}\n" + Terminal.patient

    @Test func `says what is made, in which file and line, and what a key is by default`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        mkdir("\(terminal.folder)/config/baton/baton.yaml.d", 0o700)
        try terminal.write("barrier:\n  hard: 13s\n", to: "config/baton/baton.yaml.d/20-ward.yaml")
        let folder = "\(terminal.folder)/config/baton"
        let shown = try await terminal.batonctl("settings", "--show-origin")
        #expect(shown.status == 0)
        let lines = Set(shown.output.split(separator: "\n").map(String.init))
        #expect(
            lines.isSuperset(of: [
                "\(folder)/baton.yaml.d/20-ward.yaml:2: barrier.hard: 13s", "\(folder)/baton.yaml:2: barrier.soft: 4s",
                "\(folder)/baton.yaml:1: agent.required: false",
            ]), "\(shown.output)")
        // None of them is a default, and the hashes of PINs are in none.
        #expect(!shown.output.contains("limits.receipts") && !shown.output.contains("scrypt"))
        #expect(try await terminal.batonctl("settings", "get", "barrier.hard").output == "13s")
        #expect(
            try await terminal.batonctl("settings", "get", "limits.receipts", "--show-origin").output == "default: 1000"
        )
        let json = try await terminal.batonctl("settings", "get", "barrier.hard", "--json")
        #expect(json.output.contains(#""line" : 2"#) && json.output.contains(#""default" : false"#), "\(json.output)")
        let none = try await terminal.batonctl("settings", "get", "barrier.hart")
        #expect(none.status == 1 && none.output.contains("There is no setting 'barrier.hart'"), "\(none.output)")
        let batond = try terminal.run(["batond", "--session", "--show-settings"])
        #expect(
            await batond.end() == 0 && batond.output.contains("20-ward.yaml:2: barrier.hard: 13s"), "\(batond.output)")
    }

    @Test func `makes a setting that a running batond takes at once, and takes it back`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        let daemon = try await terminal.startDaemon(agent: false)
        let file = "\(terminal.folder)/config/baton/baton.yaml.d/50-batonctl.yaml"
        let made = try await terminal.batonctl("settings", "set", "log.names", "plain")
        #expect(made.status == 0 && made.output.hasPrefix("log.names is set in \(file)."), "\(made.output)")
        let changed = try await daemon.line(containing: "the settings were reloaded")
        #expect(changed.contains("changed=log"), "\(changed)")
        let peer = try await Peer(terminal)
        try await peer.signIn("ana", pin: "1234")
        try await daemon.line(containing: "account=ana")
        _ = try await peer.signOut()
        let unset = try await terminal.batonctl("settings", "unset", "log.names", "--json")
        #expect(unset.status == 0 && unset.output.contains(#""key" : "log.names""#), "\(unset.output)")
        #expect(try await terminal.batonctl("settings", "get", "log.names").output == "masked")
        let again = try await terminal.batonctl("settings", "unset", "log.names")
        #expect(again.status == 1 && again.output.contains("log.names is not set in \(file)"), "\(again.output)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `what batond would refuse changes nothing, and says file, line and key`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        let file = "config/baton/baton.yaml.d/50-batonctl.yaml"
        #expect(try await terminal.batonctl("settings", "set", "barrier.hard", "12s").status == 0)
        let before = contents("\(terminal.folder)/\(file)")
        for (key, value, why) in [
            ("barrier.hard", "soon", "50-batonctl.yaml:3: barrier.hard: 'soon' is not a duration"),
            ("barrier.hard", "1s", "barrier.soft: soft (4s) must be shorter than hard (1s)"),
            ("barrier.hardly", "1s", "There is no setting 'barrier.hardly'"),
            ("barrier", "{hard: 1s}", "There is no setting 'barrier'"),
            ("barrier.hard", "", "has no value"),
        ] {
            let refused = try await terminal.batonctl("settings", "set", key, value)
            #expect(refused.status != 0 && refused.output.contains(why), "\(key) \(value): \(refused.output)")
            #expect(contents("\(terminal.folder)/\(file)") == before)
        }
    }

    @Test func `says so where another file or the environment goes before it`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        mkdir("\(terminal.folder)/config/baton/baton.yaml.d", 0o700)
        try terminal.write("barrier: {hard: 13s}\n", to: "config/baton/baton.yaml.d/90-site.yaml")
        let made = try await terminal.batonctl("settings", "set", "barrier.hard", "12s")
        #expect(
            made.status == 0 && made.output.contains("It has no effect: barrier.hard is also set in "), "\(made.output)"
        )
        #expect(made.output.contains("90-site.yaml:1"), "\(made.output)")
    }

    @Test(.enabled(if: access("/usr/lib/python3/dist-packages/jsonschema", F_OK) == 0, "needs python3-jsonschema"))
    func `a validator of JSON Schema takes the schema, right settings and no wrong ones`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        let script = """
            import json, subprocess, sys, yaml, jsonschema
            schema = json.loads(subprocess.check_output([sys.argv[1], "--settings-schema"]))
            jsonschema.Draft202012Validator.check_schema(schema)
            validator = jsonschema.Draft202012Validator(schema)
            lines = subprocess.check_output([sys.argv[1], "--help-settings"], text=True).split("\\n")
            example = "\\n".join(line[1:] if line.startswith("#") and line[:2] not in ("##", "#+") else "" for line in lines)
            for fault in validator.iter_errors(yaml.safe_load(example)): print("WRONG", fault.json_path, fault.message)
            for wrong in ["barrier: {hard: soon}", "barrier: {hardly: 1s}", "limits: {receipts: 0}", "strays: {files: keep}",
                          "administrators: 5", "browser: [chromium]"]:
                if validator.is_valid(yaml.safe_load(wrong)): print("TAKEN", wrong)
            print("done")
            """
        let program = try terminal.run(["/usr/bin/python3", "-c", script, "\(Terminal.binaries)/batond"])
        #expect(await program.end() == 0)
        #expect(program.output == "done", "\(program.output)")
    }
}
