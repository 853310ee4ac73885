import Glibc
import Testing

@testable import Clearing

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

    @Test func `the clock of the boot is taken as it is`() throws {
        let now = TurnStart()
        let rate = UInt64(clamping: sysconf(CInt(_SC_CLK_TCK)))
        let boottime = (now.ticks - rate) * 1_000_000 / rate
        let begun = try #require(TurnStart(began: now.wall / 1000 - 1_000_000, boottime: boottime))
        #expect(begun == TurnStart(wall: (now.wall / 1000 - 1_000_000) * 1000, ticks: now.ticks - rate))
    }

    @Test func `a wall clock that was set back hides no file of the turn`() throws {
        let now = TurnStart()
        let rate = UInt64(clamping: sysconf(CInt(_SC_CLK_TCK)))
        // Begun five seconds ago by the one, in an hour by the other.
        let boottime = (now.ticks - 5 * rate) * 1_000_000 / rate
        let begun = try #require(TurnStart(began: now.wall / 1000 + 3_600_000_000, boottime: boottime))
        #expect(begun.wall <= now.wall - 4_900_000_000 + 1_000_000_000)
        #expect(begun.wall >= now.wall - 6_000_000_000)
    }

    @Test(arguments: [UInt64.max, UInt64.max / 2])
    func `of a turn that another boot saw begin no process runs`(boottime: UInt64) throws {
        let now = TurnStart()
        #expect(TurnStart(began: now.wall / 1000, boottime: boottime)?.ticks == .max)
    }
}
