import BusTesting
import Clearing
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Processes
import Testing
import Vocabulary

/// A CUPS scheduler of its own, with a queue that prints to nowhere and one that is stopped, under the policy that Debian ships.
private final class Scheduler: Sendable {
    let folder: TemporaryFolder
    let server: String
    let user: String
    private let daemon: ChildProcess

    static let isInstalled = access("/usr/sbin/cupsd", X_OK) == 0 && access("/usr/bin/lpstat", X_OK) == 0

    init() async throws {
        folder = try TemporaryFolder("cups")
        server = folder.path(of: "socket")
        user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? ""
        for name in ["spool/tmp", "cache", "state"] { try folder.folder(name) }
        try folder.write(
            """
            User \(user)
            Group nogroup
            ServerRoot \(folder.path)/etc
            RequestRoot \(folder.path)/spool
            CacheDir \(folder.path)/cache
            StateDir \(folder.path)/state
            TempDir \(folder.path)/spool/tmp
            AccessLog none
            ErrorLog stderr
            PageLog none
            FileDevice Yes
            SystemGroup root
            Printcap

            """, to: "etc/cups-files.conf", mode: 0o600)
        try folder.write(
            """
            Listen \(server)
            LogLevel info
            Browsing Off
            PreserveJobHistory Yes
            PreserveJobFiles Yes
            <Location />
              Order allow,deny
              Allow all
            </Location>
            <Policy default>
              JobPrivateAccess default
              JobPrivateValues default
              SubscriptionPrivateAccess default
              SubscriptionPrivateValues default
              <Limit Purge-Jobs Cancel-My-Jobs>
                Require user @OWNER @SYSTEM
                Order deny,allow
              </Limit>
              <Limit Cancel-Jobs>
                AuthType Default
                Require user @SYSTEM
                Order deny,allow
              </Limit>
              <Limit Cancel-Job CUPS-Authenticate-Job>
                Require user @OWNER @SYSTEM
                Order deny,allow
              </Limit>
              <Limit All>
                Order deny,allow
              </Limit>
            </Policy>

            """, to: "etc/cupsd.conf", mode: 0o600)
        try folder.write(
            """
            <DefaultPrinter nowhere>
            DeviceURI file:///dev/null
            State Idle
            Accepting Yes
            </DefaultPrinter>
            <Printer stopped-1>
            DeviceURI file:///dev/null
            State Stopped
            Accepting Yes
            </Printer>

            """, to: "etc/printers.conf", mode: 0o600)
        daemon = try ChildProcess([
            "/usr/sbin/cupsd", "-f", "-c", folder.path(of: "etc/cupsd.conf"), "-s",
            folder.path(of: "etc/cups-files.conf"),
        ])
        // It says when it listens.
        var said = ""
        while let line = await daemon.nextLine() {
            said += line + "\n"
            if line.contains("Resuming new connection processing") { return }
        }
        throw TestingError("cupsd did not start: \(said.suffix(2000))")
    }

    deinit { daemon.kill() }

    func run(_ command: String) async throws -> String {
        let child = try ChildProcess(["/bin/sh", "-c", command], environment: ["CUPS_SERVER": server, "LC_ALL": "C"])
        let end = await child.end()
        guard end.status == 0 else { throw TestingError("\(command): \(end.status) \(end.output)") }
        return end.output
    }

    func jobs(_ which: String = "all") async throws -> [String] {
        try await run("lpstat -W \(which) -o").split(separator: "\n").compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
    }

    /// Prints, and waits until the job has come to its end; the tools tell that only to those who ask.
    func printOut() async throws {
        _ = try await run("printf private | lp -d nowhere -t Letter")
        while try await jobs("not-completed").contains(where: { $0.hasPrefix("nowhere-") }) {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The numbered control and data files of jobs.
    func files() async throws -> [String] {
        try await run("ls \(folder.path)/spool").split(separator: "\n").map(String.init).filter { $0 != "tmp" }
    }

    func stop() { kill(daemon.processID, SIGSTOP) }

    func end() { daemon.kill() }
}

@Suite(
    .asOrdinaryUser, .timeLimit(.minutes(2)),
    .enabled(if: Scheduler.isInstalled, "cups is not installed"))
struct `Print jobs` {
    private func holder(_ scheduler: Scheduler) -> PrintJobsHolder {
        PrintJobsHolder(
            launcher: Launcher(), users: [scheduler.user, "baton-turn-0", "baton-turn-1"], server: scheduler.server)
    }

    @Test func `waiting jobs are cancelled, and ended ones leave neither title nor document`() async throws {
        let scheduler = try await Scheduler()
        try await scheduler.printOut()
        _ = try await scheduler.run(
            "printf private | lp -d stopped-1 -t Waiting; printf private | lp -d nowhere -H hold")
        #expect(try await scheduler.jobs().count == 3)
        #expect(try await scheduler.files().count >= 3)
        let report = await holder(scheduler).clear(TurnStart(), limit: TimeLimit(.seconds(20)))
        #expect(report == HolderReport("print-jobs", .clean, "3 removed"))
        #expect(try await scheduler.jobs().isEmpty)
        #expect(try await scheduler.files().isEmpty)
    }

    @Test func `without jobs there is nothing to do`() async throws {
        let scheduler = try await Scheduler()
        let report = await holder(scheduler).clear(TurnStart(), limit: TimeLimit(.seconds(20)))
        #expect(report == HolderReport("print-jobs", .clean))
    }

    @Test func `the jobs of a turn's user go, too, and those of others stay and are said to`() async throws {
        let scheduler = try await Scheduler()
        _ = try await scheduler.run(
            "for user in other baton-turn-1 other; do printf private | lp -U $user -d stopped-1; done")
        #expect(try await scheduler.jobs().count == 3)
        let report = await holder(scheduler).clear(TurnStart(), limit: TimeLimit(.seconds(20)))
        #expect(report == HolderReport("print-jobs", .unchecked, "1 removed, 2 of other users stay"))
        #expect(try await scheduler.jobs() == ["stopped-1-1", "stopped-1-3"])
    }

    @Test func `a scheduler that hangs fails within the limit`() async throws {
        let scheduler = try await Scheduler()
        scheduler.stop()
        let report = await holder(scheduler).clear(TurnStart(), limit: TimeLimit(.milliseconds(500)))
        #expect(report == HolderReport("print-jobs", .failed, "the print scheduler did not answer in time"))
    }

    @Test func `without a scheduler or without its tools nothing is claimed`() async throws {
        let scheduler = try await Scheduler()
        scheduler.end()
        let report = await holder(scheduler).clear(TurnStart(), limit: TimeLimit(.seconds(20)))
        #expect(report == HolderReport("print-jobs", .unchecked, "the print scheduler does not run"))
        let missing = PrintJobsHolder(launcher: Launcher(), users: [scheduler.user], tools: "/nowhere")
        #expect(await missing.clear(TurnStart(), limit: TimeLimit(.seconds(20))).outcome == .unchecked)
    }
}

@Suite(.asOrdinaryUser, .timeLimit(.minutes(1)))
struct `Print jobs' tools` {
    private func end(_ script: String, most: Int = 1 << 20, _ limit: Duration = .seconds(20)) async throws
        -> ToolRun.End
    {
        var run = ToolRun(["/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin", "GIVEN": "yes"])
        run.mostBytes = most
        return try await run.run(by: Launcher(), limit: TimeLimit(limit))
    }

    @Test func `a tool's status and both its outputs are read, and it has the given environment only`() async throws {
        #expect(
            try await end("echo $GIVEN$HOME; echo two >&2; exit 3") == .ended(status: 3, output: "yes\ntwo\n"))
        #expect(try await end("kill -9 $$") == .ended(status: 137, output: ""))
        #expect(
            try await end("printf '%0100000d' 0") == .ended(status: 0, output: String(repeating: "0", count: 100_000)))
    }

    @Test func `a tool that prints without end or does not end is killed`() async throws {
        #expect(try await end("exec yes", most: 100_000) == .tooLong)
        #expect(try await end("exec sleep 1000", .milliseconds(200)) == .late)
        #expect(try await end("exec >&- 2>&-; exec sleep 1000", .milliseconds(200)) == .late)
    }

    @Test func `a process that it leaves behind does not hold the answer`() async throws {
        #expect(try await end("sleep 5 & echo done") == .ended(status: 0, output: "done\n"))
    }

    @Test func `a tool that is not there is a fault`() async throws {
        let run = ToolRun(["/nowhere/tool"], environment: [:])
        await #expect(throws: LaunchFault.missing("/nowhere/tool")) {
            _ = try await run.run(by: Launcher(), limit: TimeLimit(.seconds(20)))
        }
    }
}
