import Baton
import Glibc
import TerminalTesting
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ReloadTests {
    @Test func `it says what changed, and what holds only after a restart, while nobody is signed out`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        #expect(try await terminal.batonctl("sign-in", "ana", "--pin-stdin", input: "1234").status == 0)
        let unchanged = try await terminal.batonctl("reload")
        #expect(unchanged.status == 0)
        #expect(unchanged.output.contains("nothing has changed"), "\(unchanged.output)")

        try terminal.configure(
            Terminal.quick + "agent: {start: false}\nmode: default\nkeep-receipts: 1d\nbrowser: {sign-out: off}\n")
        try terminal.write("name: Till\n", to: "config/baton/apps.d/org.example.Till.yaml")
        let report = try await terminal.device().reload()
        #expect(
            // Each time the settings are written the PINs have other hashes.
            report.changed.filter { $0 != "identity" } == [
                "mode", "barrier", "browser", "agent", "keep-receipts", "apps.d/org.example.Till.yaml",
            ])
        #expect(report.needsRestart == ["agent.start"])
        #expect(report.nextTurn == ["browser"])
        #expect(report.notTaken == ["mode"])
        let device = try await terminal.device()
        #expect(try await device.getCurrentAccount().current?.username == "ana")

        // What needs a restart is told as long as it needs one.
        let again = try await terminal.batonctl("reload")
        #expect(again.output.contains("Takes effect when batond is restarted: agent.start."), "\(again.output)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `a change of any key is told by its name`() async throws {
        let terminal = try Terminal(settings: "")
        let daemon = try await terminal.startDaemon()
        let changes = [
            ("mode", "default"), ("barrier", "{soft: 1s}"), ("automatic-sign-out", "{idle: off}"),
            ("browser", "{sign-out: off}"), ("start-page", "{language: de}"), ("desktop", "{home: /srv}"),
            ("agent", "{grace: 20s}"),
            ("strays", "{processes: end}"),
            ("shared-holders", "{clipboard: leave}"), ("tokens", "listed"),
            ("command-line-tokens", "['https://graph.example.org']"),
            ("sign-in-timeout", "1min"), ("limits", "{receipts: 10}"), ("log", "{names: plain}"),
            ("metrics", "{textfile: /nowhere/baton.prom}"),
            ("administrators", "[root, '%wheel']"), ("remember-previous", "off"), ("keep-receipts", "1d"),
        ]
        try terminal.configure(changes.map { "\($0): \($1)\n" }.joined())
        // Each time the settings are written the PINs have other hashes.
        let told = try await terminal.device().reload().changed.filter { $0 != "identity" }
        #expect(told == changes.map(\.0))

        let help = try terminal.run(["batond", "--help-settings"])
        #expect(await help.end() == 0)
        let keys = help.output.split(separator: "\n").filter {
            $0.first == "#" && $0.dropFirst().first?.isLetter == true
        }
        .map { String($0.dropFirst().prefix { $0 != ":" }) }
        #expect(Set(keys) == Set(told + ["identity"]))
        withExtendedLifetime(daemon) {}
    }

    @Test func `settings with a fault change nothing at all`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        try terminal.configure("keep-receipts: 1d\nlimits: {participants: none}\n")
        let (status, output) = try await terminal.batonctl("reload")
        #expect(status == 1)
        #expect(output.contains("baton.yaml:") && output.contains("limits.participants"), "\(output)")
        try terminal.configure(Terminal.patient)
        #expect(try await terminal.device().reload().changed == ["identity"])
        withExtendedLifetime(daemon) {}
    }

    @Test func `an app's file that has become wrong changes nothing, for its app could not be contained`() async throws
    {
        let terminal = try Terminal(settings: Terminal.patient, apps: ["org.example.Till": "name: Till\n"])
        let daemon = try await terminal.startDaemon()
        try terminal.configure(Terminal.patient + "keep-receipts: 1d\n")
        try terminal.write("name: Till\nwipe: everything\n", to: "config/baton/apps.d/org.example.Till.yaml")
        let (status, output) = try await terminal.batonctl("reload")
        #expect(status == 1)
        #expect(output.contains("org.example.Till.yaml:2: wipe"), "\(output)")
        try terminal.write("name: Till\n", to: "config/baton/apps.d/org.example.Till.yaml")
        #expect(try await terminal.device().reload().changed == ["identity", "keep-receipts"])
        // One that was wrong from the start takes nothing away from anybody.
        try terminal.write("wipe: everything\n", to: "config/baton/apps.d/org.example.New.yaml")
        let report = try await terminal.device().reload()
        #expect(report.appFaults.count == 1, "\(report.appFaults)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `SIGHUP does the same, and the log says so`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        try terminal.configure(Terminal.patient + "agent: {start: false}\nkeep-receipts: 1d\n")
        daemon.signal(SIGHUP)
        let line = try await daemon.line(containing: "the settings were reloaded")
        #expect(line.contains("agent keep-receipts"))
        try await daemon.line(containing: "take effect when batond is restarted")
        try terminal.configure("keep-receipts: tomorrow\n")
        daemon.signal(SIGHUP)
        try await daemon.line(containing: "the settings were not applied")
        // It lives on.
        #expect(try await terminal.device().isPresent())
    }
}
