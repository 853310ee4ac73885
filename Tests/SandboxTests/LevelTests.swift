import BusTesting
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Processes
import Sandbox
import Testing
import Vocabulary

/// The ways that need no user namespace.
@Suite(.asOrdinaryUser, .timeLimit(.minutes(2))) struct LevelTests {
    static let crowd = """
        trap '' TERM HUP INT
        (setsid sh -c 'trap "" TERM; sleep 1000 & echo $! >&3; setsid sleep 1000 & echo $! >&3; wait' &)
        setsid sleep 1000 & kill -STOP $!; echo $! >&3
        wait; sleep 1000
        """

    private func crowd(_ confiner: Confiner) async throws -> (ConfinedShell, [Int32]) {
        let shell = try await ConfinedShell.start(Self.crowd, in: confiner)
        var pids: [Int32] = []
        for _ in 1...3 { pids.append(try #require(Int32(await shell.output.line()))) }
        return (shell, pids)
    }

    private func surroundings(_ strongest: Proof) -> Surroundings {
        var result = Surroundings()
        result.strongest = strongest
        result.reaper = Programs.agent
        return result
    }

    @Test(.needsNamespaces)
    func `the strongest way that works is taken, and a weaker one when it is not to be had`() async throws {
        var surroundings = Surroundings()
        surroundings.reaper = Programs.agent
        #expect(await Confiner.detect(surroundings).proof == .namespace)
        surroundings.bubblewrap = "/no/such/bwrap"
        surroundings.controlGroup = "/no/such/group"
        #expect(await Confiner.detect(surroundings).proof == .tree)
        surroundings.reaper = "/no/such/reaper"
        #expect(await Confiner.detect(surroundings).proof == .pid)
    }

    @Test func `a reaper ends everything below it, and its folders are gone`() async throws {
        let folder = try TemporaryFolder.inHome()
        var own = surroundings(.tree)
        own.runtime = folder.path
        let confiner = await Confiner.detect(own)
        try #require(confiner.proof == .tree)
        let (shell, pids) = try await crowd(confiner)
        #expect(pids.allSatisfy { shell.confinement.holds($0) && !Processes.isGone($0) })
        #expect(await shell.confinement.end(limit: .long) == nil)
        #expect(pids.allSatisfy { Processes.isGone($0) })
        #expect(names(in: folder.path + "/baton-agent") == [])
    }

    @Test func `a reaper that was stopped goes on`() async throws {
        let confiner = await Confiner.detect(surroundings(.tree))
        let (shell, pids) = try await crowd(confiner)
        kill(shell.confinement.process.pid, SIGSTOP)
        #expect(await shell.confinement.end(limit: .long) == nil)
        #expect(pids.allSatisfy { Processes.isGone($0) })
    }

    @Test func `a reaper runs until the last process has ended, and then the sandbox is gone`() async throws {
        let confiner = await Confiner.detect(surroundings(.tree))
        let output = try await ConfinedShell.run(
            "(setsid sh -c 'read word </proc/self/stat; echo late >&3' &)", in: confiner)
        #expect(output == "late\n")
    }

    @Test func `below a reaper it has a home of its own, into which its shares are linked`() async throws {
        let confiner = await Confiner.detect(surroundings(.tree))
        let folder = try TemporaryFolder.inHome()
        try folder.write("yes\n", to: "kept")
        let script = #"cat "$HOME/$1/kept" >&3; echo secret >"$HOME/left"; echo more >>"$HOME/$1/kept"; ls "$HOME" >&3"#
        let name = String(folder.path.split(separator: "/").last ?? "")
        let output = try await ConfinedShell.run(script, in: confiner, arguments: [name]) {
            $0.shares = [ConfinedProgram.Share(folder.path, isWritable: true)]
        }
        #expect(Set(output.split(separator: "\n")) == ["yes", Substring(name), "left", "run", "tmp"])
        #expect(folder.text(of: "kept") == "yes\nmore\n")
        #expect(access(confiner.surroundings.home + "/left", F_OK) != 0)
    }

    @Test func `a program that is not there is told by name in every way`() async throws {
        for proof in [Proof.tree, .pid] {
            let confiner = await Confiner.detect(surroundings(proof))
            await #expect(throws: LaunchFault.missing("/no/such/program")) {
                try await confiner.start(ConfinedProgram(name: "none", command: ["/no/such/program"]))
            }
        }
    }

    @Test func `by pid what can be found is ended`() async throws {
        let confiner = await Confiner.detect(surroundings(.pid))
        #expect(confiner.proof == .pid)
        let shell = try await ConfinedShell.start("setsid sleep 1000 & echo $! >&3; wait", in: confiner)
        let pid = try #require(Int32(await shell.output.line()))
        #expect(await shell.confinement.end(limit: .long) == nil)
        #expect(Processes.isGone(pid))
    }

    @Test func `one that sees everything has the user's own files and is shut in all the same`() async throws {
        let folder = try TemporaryFolder.inHome()
        let confiner = await Confiner.detect(surroundings(.namespace))
        let shell = try await ConfinedShell.start(
            #"echo kept >"$1/file"; echo $HOME >&3; sleep 1000"#, in: confiner, arguments: [folder.path]
        ) {
            $0.seesEverything = true
        }
        #expect(await shell.output.line() == confiner.surroundings.home)
        #expect(shell.confinement.proof != .namespace && shell.confinement.proof != .pid)
        #expect(await shell.confinement.end(limit: .long) == nil)
        #expect(folder.text(of: "file") == "kept\n")
    }
}

enum Programs {
    static let agent: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, 4095)
        let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "/" + path.split(separator: "/").dropLast().joined(separator: "/") + "/baton-agent"
    }()
}
