import BatonContract
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Logging
import Processes
import Testing
import Vocabulary

@testable import Clearing
@testable import Display
@testable import Sandbox

/// Serialized: strays of one test would be strays of the others. They run beside other suites, whose processes descend from
/// this one and are nobody's strays.
@Suite(.asOrdinaryUser, .serialized, .timeLimit(.minutes(2))) struct StrayTests {
    private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Starts a script whose parent is gone at once; what it prints first.
    private func leave(_ script: String) async throws -> (Int32, Output) {
        let output = try Output()
        let child = try await Launcher().start(
            ["/bin/sh", "-c", "setsid sh -c \"$0\" & exit 0", "echo $$ >&3; " + script],
            environment: ["PATH": "/usr/bin:/bin"], descriptors: [3: try #require(output.takeWriting())])
        let pid = try #require(Int32(await output.line()))
        #expect(await child.exit(limit: .long) == 0)
        return (pid, output)
    }

    /// Start times count in hundredths of a second.
    private func nextTick() {
        let start = TurnStart().ticks
        while TurnStart().ticks <= start + 1 { sched_yield() }
    }

    @Test func `what was left running in the turn is named and ended`() async throws {
        let (before, _) = try await leave("exec sleep 1000")
        nextTick()
        let strays = StrayProcesses(since: TurnStart(), user: getuid())
        let (plain, _) = try await leave("exec sleep 1000")
        let (stopped, _) = try await leave("kill -STOP $$; sleep 1000")
        let (family, _) = try await leave("trap '' TERM; setsid sleep 1000 & (setsid sleep 1000 &) ; wait; sleep 1000")
        let look = try #require(await strays.look())
        #expect(Set(look.map(\.pid)).isSuperset(of: [plain, stopped, family]))
        #expect(!look.contains { $0.pid == before || $0.pid == getpid() })
        #expect(look.contains { $0.pid == plain && $0.name == "sleep" })
        let report = await strays.end(limit: .long)
        #expect(report.fault == nil)
        #expect(Set(report.found.map(\.pid)).isSuperset(of: [plain, stopped, family]))
        for pid in [plain, stopped, family] { #expect(Processes.isGone(pid)) }
        #expect(await strays.look() == [])
        #expect(!Processes.isGone(before))
        kill(before, SIGKILL)
    }

    @Test func `what ran before the turn is named and let be, and what nothing looks at is unchecked`() async throws {
        let (before, _) = try await leave("exec sleep 1000")
        let (spared, _) = try await leave("exec sleep 1000")
        nextTick()
        let folder = try TemporaryFolder.inHome()
        var surroundings = Surroundings()
        surroundings.environment["DISPLAY"] = ":77"
        let strays = Strays(
            home: surroundings.home, environment: surroundings.environment, folder: folder.path, log: log
        ) { [] }
        var configuration = AgentConfiguration()
        (configuration.strayProcesses, configuration.strayFiles) = (.end, .name)
        configuration.keep = ["~/.config/dconf"]
        let rows = await strays.clear(configuration, TurnStart(), spared: [spared], waiting: [], limit: .long)
        #expect(
            rows.map(\.name) == [
                "processes", "files", "earlier-processes", "user-units", "screen-settings", "ipc", "kept-files",
                "other-folders",
            ])
        #expect(rows.first?.outcome == .clean)
        #expect(rows.dropFirst().allSatisfy { $0.outcome == .unchecked && !$0.explanation.isEmpty }, "\(rows)")
        #expect(rows[2].explanation.contains("sleep (\(before))"), "\(rows[2])")
        #expect(!rows[2].explanation.contains("(\(spared))"), "\(rows[2])")
        #expect(rows[6].explanation.contains("~/.config/dconf"), "\(rows[6])")
        #expect(!Processes.isGone(before) && !Processes.isGone(spared))
        for pid in [before, spared] { kill(pid, SIGKILL) }
    }

    @Test func `a home that the settings keep whole is no clean one`() async throws {
        let folder = try TemporaryFolder.inHome()
        var surroundings = Surroundings()
        surroundings.home = folder.path
        let strays = Strays(
            home: surroundings.home, environment: surroundings.environment, folder: folder.path, log: log
        ) { [] }
        var configuration = AgentConfiguration()
        (configuration.strayProcesses, configuration.strayFiles) = (.name, .end)
        configuration.keep = [folder.path, "/tmp", "/var/tmp", "/dev/shm"]
        let rows = await strays.clear(configuration, TurnStart(), spared: [], waiting: [], limit: .long)
        let files = try #require(rows.first { $0.name == "files" })
        #expect(files.outcome == .unchecked && files.explanation.contains("keep all of /dev/shm, /tmp"), "\(files)")
    }

    @Test func `a display server that was restarted in the turn is no stray, and other programs are`() async throws {
        nextTick()
        let start = TurnStart()
        let display = try VirtualDisplay()
        let (child, _) = try await leave("exec sleep 1000")
        let session = await SessionDisplay(environment: ["DISPLAY": display.display])
        // As an orphan, which it is on a terminal.
        let (other, output) = try await leave(
            "exec 4>&3; Xvfb -displayfd 3 -noreset -nolisten tcp -screen 0 640x480x24 2>/dev/null & wait")
        let number = try #require(Int(await output.line()))
        let orphan = await SessionDisplay(environment: ["DISPLAY": ":\(number)"])
        #expect(await session.server() == display.pid)
        let server = try #require(await orphan.server())
        let strays = Strays(
            home: Surroundings().home, environment: Surroundings().environment, folder: Surroundings().runtime,
            log: log, participants: { [] },
            display: { server })
        var configuration = AgentConfiguration()
        configuration.strayProcesses = .end
        let rows = await strays.clear(configuration, start, spared: [], waiting: [], limit: .long)
        #expect(rows.first { $0.name == "processes" }?.outcome != .failed)
        #expect(!Processes.isGone(server) && Processes.isGone(child))
        // Without that word it would have been ended.
        _ = await StrayProcesses(since: start, user: getuid()).end(limit: .long)
        #expect(Processes.isGone(server) && Processes.isGone(other))
    }

    @Test func `one that keeps forking is ended`() async throws {
        nextTick()
        let strays = StrayProcesses(since: TurnStart(), user: getuid())
        let (parent, _) = try await leave("while :; do (setsid sleep 0.05 &); done")
        let report = await strays.end(limit: .long)
        #expect(report.fault == nil)
        #expect(Processes.isGone(parent))
        #expect(await strays.look() == [])
    }

    @Test func `a listed process is spared with all that it started, and so are sandboxes`() async throws {
        nextTick()
        let start = TurnStart()
        let (listed, _) = try await leave("setsid sleep 1000 & sleep 1000")
        let confiner = await Confiner.detect()
        let shell = try await ConfinedShell.start("(setsid sleep 1000 &); echo up >&3; sleep 1000", in: confiner)
        #expect(await shell.output.line() == "up")
        let strays = StrayProcesses(since: start, user: getuid(), spared: [listed])
        #expect(await strays.look() == [])
        #expect(await strays.end(limit: .long) == StrayReport())
        #expect(!Processes.isGone(listed) && !shell.confinement.process.isGone)
        #expect(await shell.confinement.end(limit: .long) == nil)
        #expect(await StrayProcesses(since: start, user: getuid()).end(limit: .long).fault == nil)
        #expect(Processes.isGone(listed))
    }

    @Test func `who waits for the sign-out is named, and let be alone until the next turn`() async throws {
        nextTick()
        let start = TurnStart()
        let (asker, output) = try await leave("setsid sleep 1000 & echo $! >&3; wait; kill -STOP $$")
        let child = try #require(Int32(await output.line()))
        let report = await StrayProcesses(since: start, user: getuid(), waiting: [asker]).end(limit: .long)
        #expect(report.fault == nil)
        #expect(report.found.map(\.pid) == [child] && report.waiting.map(\.pid) == [asker])
        #expect(Processes.isGone(child) && !Processes.isGone(asker))

        let folder = try TemporaryFolder.inHome()
        let strays = Strays(
            home: Surroundings().home, environment: Surroundings().environment, folder: folder.path, log: log
        ) { [] }
        var configuration = AgentConfiguration()
        (configuration.strayProcesses, configuration.strayFiles) = (.end, .name)
        let row = await strays.clear(configuration, start, spared: [], waiting: [asker], limit: .long).first
        #expect(row?.name == "processes" && row?.outcome == .unchecked)
        #expect(row?.explanation.contains("sh (\(asker))") == true, "\(row?.explanation ?? "")")
        #expect(!Processes.isGone(asker))
        await strays.endWaitingProcesses(limit: .seconds(20))
        #expect(Processes.isGone(asker))
        let next = await strays.clear(configuration, start, spared: [], waiting: [], limit: .long).first
        #expect(next?.outcome == .clean)
    }

    @Test(arguments: [false, true])
    func `who waited for the sign-out leaves nothing behind, also when the agent was killed meanwhile`(
        _ isKilled: Bool
    ) async throws {
        let folder = try TemporaryFolder.inHome()
        // Without a process to wait with, which would be a stray.
        let forking = """
            mkfifo \(folder.path)/$$; exec 4<>\(folder.path)/$$; echo up >&3; read line <&4
            setsid sleep 1000 & echo $! >&3
            """
        let (neighbour, next) = try await leave(forking + "\nread line <&4")
        #expect(await next.line() == "up")
        nextTick()
        let start = TurnStart()
        let (asker, output) = try await leave(forking)
        #expect(await output.line() == "up")
        var strays = Strays(
            home: Surroundings().home, environment: Surroundings().environment, folder: folder.path, log: log
        ) { [] }
        var configuration = AgentConfiguration()
        (configuration.strayProcesses, configuration.strayFiles) = (.end, .name)
        let row = await strays.clear(configuration, start, spared: [neighbour], waiting: [asker], limit: .long).first
        #expect(row?.outcome == .unchecked)
        // It has its answer, starts something that nobody could trace back to it, and is gone.
        try folder.write("\n", to: "\(asker)")
        let child = try #require(Int32(await output.line()))
        // What somebody who was there before starts now is nobody's business.
        try folder.write("\n", to: "\(neighbour)")
        let newcomer = try #require(Int32(await next.line()))
        if isKilled {
            strays = Strays(
                home: Surroundings().home, environment: Surroundings().environment, folder: folder.path, log: log
            ) { [] }
        }
        await strays.endWaitingProcesses(grace: .seconds(10), limit: .seconds(20))
        #expect(Processes.isGone(child) && Processes.isGone(asker))
        #expect(!Processes.isGone(newcomer) && !Processes.isGone(neighbour))
        #expect(access(folder.path + "/waiters", F_OK) != 0)
        for pid in [neighbour, newcomer] { kill(pid, SIGKILL) }
    }

    @Test func `a reaper that was killed proves nothing, and what it lost are strays`() async throws {
        nextTick()
        let start = TurnStart()
        var surroundings = Surroundings()
        surroundings.strongest = .tree
        surroundings.reaper = Programs.agent
        let confiner = await Confiner.detect(surroundings)
        try #require(confiner.proof == .tree)
        let shell = try await ConfinedShell.start("(setsid sleep 1000 &); echo $$ >&3; exec sleep 1000", in: confiner)
        let pid = try #require(Int32(await shell.output.line()))
        kill(shell.confinement.process.pid, SIGKILL)
        let problem = await shell.confinement.end(limit: .long)
        #expect(problem?.contains("nothing is proven") == true)
        let report = await StrayProcesses(since: start, user: getuid()).end(limit: .long)
        #expect(report.fault == nil)
        #expect(report.found.contains { $0.pid == pid })
        #expect(Processes.isGone(pid))
    }

    @Test func `its name cannot forge a line`() async throws {
        nextTick()
        let strays = StrayProcesses(since: TurnStart(), user: getuid())
        let (pid, output) = try await leave(#"printf 'a\nb) é' >/proc/$$/comm; echo named >&3; sleep 1000"#)
        #expect(await output.line() == "named")
        let found = try #require(await strays.look()).first { $0.pid == pid }
        #expect(found?.name == "a?b)???")
        #expect(await strays.end(limit: .long).fault == nil)
    }

    @Test func `processes of other users never count`() async throws {
        let everybody = StrayProcesses(since: TurnStart(wall: 0, ticks: 0), user: 1)
        #expect(await everybody.look() == [])
    }
}
