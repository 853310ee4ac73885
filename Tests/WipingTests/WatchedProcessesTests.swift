import Glibc
import LinuxSystem
import Processes
import Testing
import Vocabulary

@testable import Processes

@Suite
struct `Remembering watched processes` {
    private func process() throws -> ProcessHandle {
        try #require(ProcessHandle(pid: getpid()))
    }

    @Test func `registrations of one living process share its pin`() throws {
        var watched = WatchedProcesses()
        let first = try process()
        let number = watched.add(1, first)
        #expect(watched.join(2, to: try process()))
        #expect(watched[2] === first && watched.end(number) == [1, 2])
    }

    @Test func `a number taken back leaves nothing`() throws {
        var watched = WatchedProcesses()
        watched.drop(watched.add(1, try process()))
        #expect(watched[1] == nil && !watched.isPast(1))
    }

    @Test func `long ended processes give their pin back and are known as past`() throws {
        var watched = WatchedProcesses()
        for instance in 0...Instance(rawValue: UInt64(WatchedProcesses.endedProcesses)) {
            let number = watched.add(instance, try process())
            #expect(watched.end(number) == [instance])
        }
        #expect(watched[0] == nil && watched.isPast(0))
        #expect(watched[1] != nil && !watched.isPast(1) && !watched.isPast(99_999))
    }

    @Test func `an unknown end is nobody's`() {
        var watched = WatchedProcesses()
        #expect(watched.end(5) == [])
    }
}
