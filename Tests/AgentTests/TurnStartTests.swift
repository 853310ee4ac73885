import ClearingTesting
import Glibc
import Testing

@testable import Agent

struct TurnStartTests {
    @Test func `a time of the wall clock becomes one of the boot`() throws {
        let now = TurnStart()
        let begun = try #require(TurnStart(began: now.wall / 1000 - 2_000_000))
        #expect(begun.wall < now.wall)
        let rate = UInt64(clamping: sysconf(CInt(_SC_CLK_TCK)))
        // Two seconds ago, give or take the time that passed between the two looks.
        #expect(begun.ticks >= now.ticks - 2 * rate - 1)
        #expect(begun.ticks <= now.ticks + rate)
    }

    @Test func `of a turn that is older than this boot no process runs`() {
        #expect(TurnStart(began: 1)?.ticks == .max)
    }

    @Test(arguments: [0, -1, Int64.min, Int64.max])
    func `a time that says nothing is none`(began: Int64) {
        #expect(TurnStart(began: began) == nil)
    }

    @Test func `a note is found again for its own epoch only`() throws {
        let folder = try TemporaryFolder()
        let note = TurnNote(path: folder.path + "/turn")
        let start = TurnStart(wall: 12, ticks: 34)
        note.write(Turn(epoch: 7, start: start))
        #expect(note.read(epoch: 7) == start)
        #expect(note.read(epoch: 8) == nil)
        #expect(TurnNote(path: folder.path + "/none").read(epoch: 7) == nil)
    }
}
