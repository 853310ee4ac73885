import ClearingTesting
import Glibc
import LinuxSystem
import Processes
import Testing

@testable import Processes

@Suite(.timeLimit(.minutes(1)))
struct `Watching the parent` {
    @Test func `its end is told`() async throws {
        let child = try ScriptProcess("exec sleep 1000")
        let parent = try #require(ParentWatch(parent: child.pid))
        kill(child.pid, SIGKILL)
        await parent.untilGone()
        #expect(child.process.isGone)
    }

    @Test func `one that is gone already cannot be watched`() throws {
        let child = try ScriptProcess("exec sleep 1000")
        kill(child.pid, SIGKILL)
        awaitEnd(of: child.process)
        #expect(ParentWatch(parent: child.pid) == nil)
    }
}
