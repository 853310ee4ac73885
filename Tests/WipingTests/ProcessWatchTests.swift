import ClearingTesting
import Glibc
import LinuxSystem
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Watching processes` {
    @Test func `an end is told once`() async throws {
        let watch = try #require(ProcessWatch())
        var exits = watch.exits.makeAsyncIterator()
        let first = try ScriptProcess("exec sleep 1000")
        let second = try ScriptProcess("exec sleep 1000")
        #expect(watch.add(first.process, as: 1) && watch.add(second.process, as: 2))
        #expect(!watch.add(second.process, as: 1))
        kill(first.pid, SIGKILL)
        #expect(await exits.next() == 1)
        kill(second.pid, SIGKILL)
        #expect(await exits.next() == 2)
    }

    @Test func `a process that ended before it was watched is told`() async throws {
        let watch = try #require(ProcessWatch())
        let child = try ScriptProcess("exec sleep 1000")
        kill(child.pid, SIGKILL)
        awaitEnd(of: child.process)
        child.reap()
        #expect(watch.add(child.process, as: 7))
        var exits = watch.exits.makeAsyncIterator()
        #expect(await exits.next() == 7)
    }

    @Test func `two numbers for one process are both told`() async throws {
        let watch = try #require(ProcessWatch())
        let child = try ScriptProcess("exec sleep 1000")
        let again = try #require(ProcessHandle(pid: child.pid))
        #expect(watch.add(child.process, as: 1) && watch.add(again, as: 2))
        kill(child.pid, SIGKILL)
        var exits = watch.exits.makeAsyncIterator()
        #expect(Set([await exits.next(), await exits.next()]) == [1, 2])
    }

    @Test func `a forgotten process is not told`() async throws {
        let watch = try #require(ProcessWatch())
        let first = try ScriptProcess("exec sleep 1000")
        let second = try ScriptProcess("exec sleep 1000")
        #expect(watch.add(first.process, as: 1) && watch.add(second.process, as: 2))
        watch.remove(1)
        kill(first.pid, SIGKILL)
        awaitEnd(of: first.process)
        kill(second.pid, SIGKILL)
        var exits = watch.exits.makeAsyncIterator()
        #expect(await exits.next() == 2)
    }

    @Test func `a watch that is let go ends its stream`() async throws {
        var watch = ProcessWatch()
        let exits = try #require(watch?.exits)
        watch = nil
        var count = 0
        for await _ in exits { count += 1 }
        #expect(count == 0)
    }
}
