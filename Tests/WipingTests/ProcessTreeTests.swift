import Clearing
import ClearingTesting
import Glibc
import LinuxSystem
import Testing
import Vocabulary

private let limit = Duration.seconds(60)

@Suite(.timeLimit(.minutes(3)))
struct `Stopping an app's processes` {
    private func stop(_ children: ScriptProcess..., excluding: Set<Int32> = []) -> StopReport {
        ProcessTree.stop(children.map(\.process), excluding: excluding, limit: TimeLimit(limit))
    }

    @Test func `a process and its children end`() throws {
        let child = try ScriptProcess("sleep 1000 & echo $!; sleep 1000 & echo $!; wait", session: false)
        let below = [try child.printedProcess(), try child.printedProcess()]
        let report = stop(child)
        #expect(report.isProven && report.ended == 3 && report.explanation == nil)
        #expect(child.process.isGone && below.allSatisfy(\.isGone))
    }

    @Test func `a process that ignores SIGTERM ends`() throws {
        let child = try ScriptProcess("trap '' TERM INT HUP; echo ready; while :; do sleep 1; done")
        #expect(child.line() == "ready")
        #expect(stop(child).isProven && child.process.isGone)
    }

    @Test func `a stopped process ends`() throws {
        let child = try ScriptProcess("echo ready; kill -STOP $$; echo never")
        #expect(child.line() == "ready")
        #expect(stop(child).isProven && child.process.isGone)
    }

    @Test func `a double-forked process in the app's session ends`() throws {
        let child = try ScriptProcess("(sleep 1000 & echo $!); sleep 1000")
        let orphan = try child.printedProcess()
        #expect(stop(child).isProven && orphan.isGone)
    }

    @Test func `a daemon that left the session ends while its parent lives`() throws {
        let child = try ScriptProcess("setsid sh -c 'echo $$; (sleep 1000 & echo $!); sleep 1000' & wait")
        let daemon = try child.printedProcess()
        let orphan = try child.printedProcess()
        #expect(stop(child).isProven && daemon.isGone && orphan.isGone)
    }

    @Test func `a daemon whose parent is gone and that left the session is beyond this proof`() throws {
        let child = try ScriptProcess("(setsid sh -c 'echo $$; exec sleep 1000' &); sleep 1000")
        let daemon = try child.printedProcess()
        #expect(stop(child).isProven)
        #expect(!daemon.isGone)
        kill(daemon.pid, SIGKILL)
    }

    @Test func `orphans of an app that is gone already end`() throws {
        let child = try ScriptProcess("sleep 1000 & echo $!; wait")
        let orphan = try child.printedProcess()
        kill(child.pid, SIGKILL)
        awaitEnd(of: child.process)
        child.reap()
        #expect(stop(child).isProven && orphan.isGone)
    }

    @Test func `an app that forks without end cannot outrun it`() throws {
        let child = try ScriptProcess("n=0; echo ready; while [ $n -lt 5000 ]; do sleep 1000 & n=$((n+1)); done; wait")
        #expect(child.line() == "ready")
        #expect(stop(child).isProven)
        #expect(ScriptProcess.session(child.pid).isEmpty)
    }

    @Test func `a chain in which each process forks the next and ends cannot outrun it`() throws {
        let child = try ScriptProcess("f() { [ $1 -gt 0 ] && f $(($1 - 1)) & }; echo ready; f 100000; exec sleep 1000")
        #expect(child.line() == "ready")
        #expect(stop(child).isProven)
        #expect(ScriptProcess.session(child.pid).isEmpty)
    }

    @Test func `excluded processes are left alone`() throws {
        let child = try ScriptProcess("sleep 1000 & echo $!; wait", session: false)
        let spared = try child.printedProcess()
        let report = stop(child, excluding: [spared.pid])
        #expect(report.isProven && !spared.isGone && child.process.isGone)
        kill(spared.pid, SIGKILL)
    }

    @Test func `an app's process that may not be ended is reported`() throws {
        let child = try ScriptProcess("echo ready; exec sleep 1000")
        #expect(child.line() == "ready")
        let report = stop(child, excluding: [child.pid])
        #expect(report.unproven == [child.pid] && !child.process.isGone)
        #expect(report.explanation == "not proven gone: process \(child.pid)")
    }

    @Test func `this very process is never ended`() throws {
        let own = try #require(ProcessHandle(pid: getpid()))
        #expect(ProcessTree.stop([own], limit: TimeLimit(limit)).unproven == [getpid()])
    }

    @Test(.enabled(if: getuid() == 0, "only root can start a process of another user"))
    func `a process of another user is left alone and reported`() throws {
        let child = try ScriptProcess("setpriv --reuid=65534 --clear-groups sh -c 'echo $$; exec sleep 1000' & wait")
        let other = try child.printedProcess()
        let report = stop(child)
        #expect(report.unproven == [other.pid] && !other.isGone && child.process.isGone)
        kill(other.pid, SIGKILL)
    }

    @Test(.enabled(if: LastPid.canBeSet, "only root can have a pid used again"))
    func `a later process of the same pid, and its session, are left alone`() throws {
        for _ in 0..<200 {
            let child = try ScriptProcess("exec sleep 1000")
            kill(child.pid, SIGKILL)
            awaitEnd(of: child.process)
            child.reap()
            LastPid.set(child.pid - 1)
            let later = try ScriptProcess("sleep 1000 & echo $!; wait")
            // Others start processes too, so the number may be taken.
            guard later.pid == child.pid else { continue }
            let below = try later.printedProcess()
            #expect(stop(child) == StopReport(ended: 0, unproven: []))
            #expect(child.process.isGone && !later.process.isGone && !below.isGone)
            return
        }
        Issue.record("no pid was used again")
    }

    @Test func `of several that are stopped at once, each gets what is true of it`() throws {
        let (first, second) = (try ScriptProcess("sleep 1000 & echo $!; wait"), try ScriptProcess("exec sleep 1000"))
        let below = try first.printedProcess()
        let reports = ProcessTree.stop(
            [[first.process], [second.process], []], excluding: [second.pid], limit: TimeLimit(limit))
        #expect(reports[0] == StopReport(ended: 2, unproven: []))
        #expect(reports[1] == StopReport(ended: 0, unproven: [second.pid]))
        #expect(reports[2] == StopReport(ended: 0, unproven: []))
        #expect(first.process.isGone && below.isGone && !second.process.isGone)
    }

    @Test func `what another one's process descends from is not proven gone without it`() throws {
        let child = try ScriptProcess("setsid sh -c 'echo $$; exec sleep 1000' & wait")
        let below = try child.printedProcess()
        let reports = ProcessTree.stop([[below], [child.process]], excluding: [below.pid], limit: TimeLimit(limit))
        #expect(reports.map(\.unproven) == [[below.pid], [below.pid]])
        #expect(child.process.isGone)
        kill(below.pid, SIGKILL)
    }

    @Test func `a hundred at a time are stopped one and all, also those that share a process`() async throws {
        let stops = ProcessStops()
        let children = try (0..<50).map { _ in try ScriptProcess("sleep 1000 & echo ready; wait") }
        for child in children { #expect(child.line() == "ready") }
        let reports = await withTaskGroup(of: ContainmentReport.self) { group in
            for number in 0..<100 {
                let processes = [children[number / 2].process, children[number * 7 % 50].process]
                group.addTask {
                    await ContainmentRun(processes: processes, wipes: nil, stops: stops).run(
                        limit: TimeLimit(.seconds(60)))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.allSatisfy { $0.outcome == .stopped }, "\(reports)")
        #expect(children.allSatisfy { $0.process.isGone })
    }

    @Test func `without time what still runs is reported`() throws {
        let child = try ScriptProcess("sleep 1000 & echo ready; wait")
        #expect(child.line() == "ready")
        let report = ProcessTree.stop([child.process], limit: TimeLimit(.zero))
        // Killed all the same; whether it was seen to end in no time is luck.
        #expect(report.isProven || report.explanation != nil)
        awaitEnd(of: child.process)
    }

    @Test func `nothing to stop is proven at once`() {
        #expect(ProcessTree.stop([], limit: TimeLimit(limit)) == StopReport(ended: 0, unproven: []))
    }

    @Test(arguments: [0, -1, Int32.max])
    func `numbers that are no process are not pinned`(pid: Int32) {
        #expect(ProcessHandle(pid: pid) == nil)
    }
}

/// The kernel's last pid, after which it looks for the next one.
private enum LastPid {
    /// Everybody may open the file; writing needs more.
    static let canBeSet = set(getpid())

    @discardableResult
    static func set(_ pid: Int32) -> Bool {
        let descriptor = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { return false }
        defer { close(descriptor) }
        let number = "\(pid)"
        return write(descriptor, number, number.utf8.count) == number.utf8.count
    }
}
