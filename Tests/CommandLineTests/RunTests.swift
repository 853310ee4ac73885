import Baton
import FolderTesting
import Glibc
import TerminalTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct RunTests {
    @Test func `the next worker gets the program anew`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let run = try terminal.startRun(
            "ls $DATA | sed 's/^/found /'; echo x > $DATA/x; echo started; exec sleep 1000")
        try await run.line(containing: "started")
        try await terminal.signIn()
        #expect(try await terminal.batonctl("sign-out").status == 0)
        try await terminal.signIn("bo")
        try await run.line(containing: "started", count: 2)
        #expect(!run.output.contains("found"))
        #expect(try await terminal.batonctl("sign-out").status == 0)
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: Terminal.runWays)
    func `a program that ends by itself gives batonctl its exit code, and leaves nothing`(_ way: [String]) async throws
    {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        try await terminal.signIn()
        let run = try terminal.startRun("echo x > $DATA/x; (setsid sleep 1000 &) ; exit 7", way)
        #expect(await run.end() == 7)
        #expect(terminal.exists("data") && names(in: "\(terminal.folder)/data").isEmpty)
        // It left, so that nobody waits for it.
        #expect(try await terminal.device().participants().allSatisfy { $0.owedSince == 0 })
        #expect(try await terminal.batonctl("sign-out").status == 0)
        let killed = try terminal.startRun("kill -9 $$", way)
        #expect(await killed.end() == 137)
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: Terminal.runWays)
    func `signals reach the program, and its answer is the end`(_ way: [String]) async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let run = try terminal.startRun(
            "trap 'echo one' USR1; trap 'echo bye; exit 42' INT; echo started; while :; do sleep 0.05; done", way)
        try await run.line(containing: "started")
        run.signal(SIGUSR1)
        try await run.line(containing: "one")
        run.signal(SIGINT)
        #expect(await run.end() == 42)
        #expect(run.output.contains("bye"))
        withExtendedLifetime(daemon) {}
    }

    @Test func `a second Ctrl-C ends a program that ignores the first`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let run = try terminal.startRun("trap 'echo no' INT; echo started; while :; do sleep 0.05; done")
        try await run.line(containing: "started")
        run.signal(SIGINT)
        try await run.line(containing: "no")
        run.signal(SIGINT)
        #expect(await run.end() == 0)
        #expect(terminal.processesOfRun.isEmpty)
        withExtendedLifetime(daemon) {}
    }

    @Test func `with never, batonctl ends with the sign-out; with always, the program runs again on the free device`()
        async throws
    {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let never = try terminal.startRun("echo started; exec sleep 1000", ["--restart", "never"])
        try await never.line(containing: "started")
        try await terminal.signIn()
        #expect(try await terminal.batonctl("sign-out").status == 0)
        #expect(await never.end() == 0)
        let always = try terminal.startRun("echo started; exec sleep 1000", ["--restart", "always"])
        try await always.line(containing: "started")
        try await terminal.signIn()
        #expect(try await terminal.batonctl("sign-out").status == 0)
        try await always.line(containing: "started", count: 2)
        always.signal(SIGTERM)
        #expect(await always.end() == 143)
        withExtendedLifetime(daemon) {}
    }

    @Test func `a program that was asked to end and is ended by a sign-out ends batonctl too`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        try await terminal.signIn()
        let run = try terminal.startRun(
            "trap 'echo no' TERM; echo started; while :; do sleep 0.05; done", ["--restart", "always"])
        try await run.line(containing: "started")
        run.signal(SIGTERM)
        try await run.line(containing: "no")
        #expect(try await terminal.batonctl("sign-out").status == 0)
        #expect(await run.end() == 0)
        #expect(terminal.processesOfRun.isEmpty)
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: Terminal.runWays)
    func `its events go to a descriptor that the program does not get`(_ way: [String]) async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let events = "\(terminal.folder)/events"
        let run = try terminal.startRun(
            "echo x > $DATA/x; echo '{}' >&2; [ -e /proc/self/fd/3 ] && echo inherited; echo begun; exec sleep 1000",
            way + ["--json-fd", "3", "--restart", "never"], in: ["sh", "-c", "exec \"$@\" 3>\(events)", "sh"])
        try await run.line(containing: "begun")
        try await terminal.signIn()
        #expect(try await terminal.batonctl("sign-out").status == 0)
        #expect(await run.end() == 0)
        #expect(run.output.split(separator: "\n").sorted() == ["begun", "{}"], "\(run.output)")
        let cat = try terminal.run(["cat", events])
        _ = await cat.end()
        let lines = cat.output.split(separator: "\n")
        let proof = way.isEmpty ? "namespace" : "tree"
        #expect(lines.contains { $0.contains(#""event":"started","proof":"\#(proof)""#) }, "\(lines)")
        #expect(!lines.contains { $0.contains(#""event":"ended""#) }, "\(lines)")
        #expect(
            lines.contains {
                $0.contains(#""event":"cleared","outcome":"cleared","proof":"\#(proof)","removed":1"#)
                    && $0.contains(#""epoch":"#)
            }, "\(lines)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `with --json its events are lines of standard error`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let run = try terminal.startRun(
            "echo x > $DATA/x; exit 7", ["--json"], in: ["sh", "-c", "exec \"$@\" >/dev/null", "sh"])
        #expect(await run.end() == 7)
        #expect(run.output.contains(#"{"code":7,"event":"ended""#), "\(run.output)")
        #expect(run.output.contains(#""event":"cleared""#), "\(run.output)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `it waits for a batond that is not there`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let run = try terminal.startRun("echo started; exec sleep 1000")
        try await run.line(
            containing: "starts when batond is running. batond does not run on the session bus; waiting for it.")
        let daemon = try await terminal.startDaemon()
        try await run.line(containing: "started")
        run.signal(SIGTERM)
        #expect(await run.end() == 143)
        withExtendedLifetime(daemon) {}
    }

    @Test func `what cannot work is refused at the start`() async throws {
        let terminal = try Terminal()
        func refuse(_ options: [String], program: String = "true", _ environment: [String: String] = [:]) async throws
            -> Int32
        {
            try await terminal.run(
                ["batonctl", "run", "--app", Terminal.runApp] + options + ["--", program], environment: environment
            ).end()
        }
        #expect(try await refuse(["--wipe", "\(terminal.folder)/home"]) == 64)
        #expect(try await refuse(["--wipe", terminal.folder]) == 64)
        #expect(try await refuse(["--wipe", "/"]) == 64)
        #expect(try await refuse(["--wipe", "\(terminal.folder)/data", "--keep", "/etc/passwd"]) == 64)
        #expect(try await refuse(["--restart", "sometimes"]) == 64)
        for descriptor in ["-1", "0", "77", "x"] {
            #expect(try await refuse(["--json-fd", descriptor]) == 64, "\(descriptor)")
        }
        #expect(try await refuse([], program: "/nonexistent/program") == 127)
        #expect(try await refuse([], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]) == 69)
    }
}
