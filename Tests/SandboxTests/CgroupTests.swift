import BusTesting
import CLinux
import FolderTesting
import Glibc
import Processes
import Sandbox
import Testing
import Vocabulary

/// Control groups, on a cgroup2 that the test mounts: only root may.
@Suite(.serialized, .needsMounts, .timeLimit(.minutes(2)))
struct CgroupTests {
    private func withGroups(_ body: (String, Confiner) async throws -> Void) async throws {
        let folder = try TemporaryFolder.inHome()
        let place = folder.path + "/cgroup"
        mkdir(place, 0o755)
        guard mount("none", place, "cgroup2", 0, nil) == 0 else {
            print("skipped: this kernel lets nobody mount a cgroup2 here")
            return
        }
        defer { umount(place) }
        let root = "\(place)/test-\(getpid())"
        mkdir(root, 0o755)
        defer { rmdir(root) }
        var surroundings = Surroundings()
        surroundings.runtime = folder.path
        surroundings.strongest = .cgroup
        surroundings.controlGroup = root
        let confiner = await Confiner.detect(surroundings)
        try #require(confiner.proof == .cgroup)
        try await body(root, confiner)
        // Each of its groups was removed.
        #expect(names(in: root).filter { $0.hasPrefix("baton-") } == [])
    }

    @Test func `the program runs in its group from its first instruction on`() async throws {
        try await withGroups { root, confiner in
            let output = try await ConfinedShell.run(
                "grep '^0::' /proc/self/cgroup >&3; (cat /proc/self/cgroup | grep '^0::' >&3)", in: confiner)
            let lines = output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.contains("/baton-") })
        }
    }

    @Test(arguments: SandboxTests.crowds) func `one kill ends everything in it`(crowd: String) async throws {
        try await withGroups { root, confiner in
            let shell = try await ConfinedShell.start("(setsid sleep 1000 &) ; echo up >&3; " + crowd, in: confiner)
            #expect(await shell.output.line() == "up")
            let inside = shell.confinement.roots
            #expect(inside.count > 1)
            #expect(await shell.confinement.end(limit: .long) == nil)
            #expect(inside.allSatisfy { Processes.isGone($0) })
        }
    }

    /// Who ends it and who notices that it has ended come together.
    @Test func `ended by several at once it has ended for all of them`() async throws {
        try await withGroups { _, confiner in
            let script = "mkdir ~/full; cd ~/full; seq 5000 | xargs touch; echo up >&3; sleep 1000"
            let shell = try await ConfinedShell.start(script, in: confiner)
            #expect(await shell.output.line() == "up")
            let problems = await withTaskGroup(of: String?.self) { group in
                for _ in 1...4 { group.addTask { await shell.confinement.end(limit: .long) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(problems == [nil, nil, nil, nil])
        }
    }

    @Test func `groups that the program made below its own go too`() async throws {
        try await withGroups { root, confiner in
            let script =
                #"for g in "$1"/baton-*; do mkdir -p $g/a/b; sh -c 'echo 0 >"$0"/cgroup.procs; exec sleep 1000' $g/a/b & done; sleep 1000 & echo up >&3; wait"#
            let shell = try await ConfinedShell.start(script, in: confiner, arguments: [root])
            #expect(await shell.output.line() == "up")
            #expect(await shell.confinement.end(limit: .long) == nil)
        }
    }

    @Test func `a group that a killed agent left is swept`() async throws {
        try await withGroups { root, confiner in
            // As an agent that is gone made it: pid 1 with another start time.
            let group = root + "/baton-1-1-1"
            mkdir(group, 0o755)
            let child = try await Launcher().start(
                ["/bin/sh", "-c", "echo 0 >$0/cgroup.procs && exec sleep 1000", group],
                environment: ["PATH": "/usr/bin:/bin"])
            while (contents(group + "/cgroup.procs") ?? "") == "" { try await Task.sleep(for: .milliseconds(5)) }
            #expect(await confiner.sweep(limit: .long) == [])
            #expect(await child.exit(limit: .long) == 128 + SIGKILL)
        }
    }
}
