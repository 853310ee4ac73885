import BusTesting
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Processes
import Sandbox
import Testing
import Vocabulary

/// An agent is killed with -9: nothing of what it started may be left when the next one is ready.
@Suite(.asOrdinaryUser, .serialized, .timeLimit(.minutes(2))) struct SweepTests {
    static let levels = [Proof.namespace, .tree, .pid]

    private static func surroundings(_ level: Proof, _ environment: [String: String]) -> Surroundings {
        var result = Surroundings()
        result.strongest = level
        result.reaper = Programs.agent
        result.sessionBus = environment["BATON_TEST_BUS"]
        result.runtime = environment["BATON_TEST_RUNTIME"] ?? result.runtime
        return result
    }

    /// Not a test but the agent of the next one, which starts this very program again.
    @Test(.enabled(if: getenv("BATON_TEST_RUNTIME") != nil, "the child of another test"))
    func `agent to be killed`() async throws {
        var held: [any Confinement] = []
        for level in Self.levels {
            let confiner = await Confiner.detect(Self.surroundings(level, Surroundings().environment))
            var program = ConfinedProgram(
                name: level.rawValue, command: ["/bin/sh", "-c", "(setsid sleep 1000 &) ; sleep 1000"])
            program.bus = .baton
            program.seesDisplay = false
            let confinement = try await confiner.start(program)
            held.append(confinement)
            for pid in confinement.roots.sorted() { Self.say("\(pid)") }
        }
        Self.say("up")
        await held[0].untilGone()
    }

    private static func say(_ line: String) {
        let text = line + "\n"
        _ = text.withCString { write(3, $0, strlen($0)) }
    }

    @Test func `of a killed agent's sandboxes nothing is left after the sweep`() async throws {
        try await withPrivateBus { bus in
            let folder = try TemporaryFolder.inHome()
            let output = try Output()
            let environment = ["BATON_TEST_BUS": bus.rawAddress, "BATON_TEST_RUNTIME": folder.path]
            let agent = try await Launcher().start(
                [
                    CommandLine.arguments.first ?? "", "--testing-library", "swift-testing", "--filter",
                    "agent to be killed",
                ],
                environment: Surroundings().environment.merging(environment) { $1 },
                descriptors: [3: try #require(output.takeWriting())])
            var pids: [Int32] = []
            while case let line = await output.line(), line != "up" {
                pids.append(try #require(Int32(line), "the agent ended: \(line)"))
            }
            #expect(pids.count > 4)
            agent.kill()
            #expect(await agent.exit(limit: .long) == 128 + SIGKILL)
            let confiner = await Confiner.detect(Self.surroundings(.namespace, environment))
            #expect(await confiner.sweep(limit: .long) == [])
            for pid in pids { #expect(Processes.isGone(pid), "process \(pid)") }
            #expect(names(in: folder.path + "/baton-agent") == [])
            // Nothing to do is no fault.
            #expect(await confiner.sweep(limit: .long) == [])
        }
    }

    @Test func `with the agent dies the sandbox, also without a sweep`() async throws {
        try await withPrivateBus { bus in
            let folder = try TemporaryFolder.inHome()
            let output = try Output()
            let environment = ["BATON_TEST_BUS": bus.rawAddress, "BATON_TEST_RUNTIME": folder.path]
            let agent = try await Launcher().start(
                [
                    CommandLine.arguments.first ?? "", "--testing-library", "swift-testing", "--filter",
                    "agent to be killed",
                ],
                environment: Surroundings().environment.merging(environment) { $1 },
                descriptors: [3: try #require(output.takeWriting())])
            // The proxy, bubblewrap and its first process come first.
            var processes: [ProcessHandle] = []
            var pids: [Int32] = []
            while case let line = await output.line(), line != "up" {
                pids.append(try #require(Int32(line), "the agent ended: \(line)"))
            }
            for pid in pids.prefix(3) { processes.append(try #require(ProcessHandle(pid: pid))) }
            agent.kill()
            // Nobody tells us of their ends: they are not our children.
            for process in processes { while !process.isGone { try await Task.sleep(for: .milliseconds(5)) } }
            _ = await agent.exit(limit: .long)
            #expect(await Confiner.detect(Self.surroundings(.namespace, environment)).sweep(limit: .long) == [])
        }
    }

    @Test func `a note of a living agent and one that means nobody are let be`() async throws {
        let folder = try TemporaryFolder.inHome()
        let confiner = await Confiner.detect(Self.surroundings(.namespace, ["BATON_TEST_RUNTIME": folder.path]))
        let shell = try await ConfinedShell.start("echo up >&3; sleep 1000", in: confiner)
        #expect(await shell.output.line() == "up")
        // Torn, forged, and of a process that has another start time than the note says.
        let boot = (contents("/proc/sys/kernel/random/boot_id") ?? "").filter { !$0.isWhitespace }
        for (name, text) in [
            ("1-1-1.note", "proof namespace\nboot \(boot)\nfirst \(getpid()) 1\nname x"), ("1-1-2.note", "first"),
            ("1-1-3.note", ""),
            ("1-1-4.note", "boot \(boot)\ngroup /etc\nproof cgroup\nfirst -1 0\nouter 99999999999999999999 1\n"),
        ] {
            try folder.write(text, to: "baton-agent/\(name)")
        }
        #expect(await confiner.sweep(limit: .long) == [])
        #expect(!shell.confinement.process.isGone)
        #expect(await shell.confinement.end(limit: .long) == nil)
    }
}
