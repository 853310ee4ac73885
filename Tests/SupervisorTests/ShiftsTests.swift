import Glibc
import Testing

@testable import Settings
@testable import Supervisor

/// The times of day at which workers are asked to leave, on clocks that are set and change. Each zone is a process's own.
@Suite(.timeLimit(.minutes(1))) struct ShiftsTests {
    private static let hour = 3600
    private static let day = 24 * hour
    /// 2026-06-10, 00:00 UTC.
    private static let midnight = 1_781_049_600

    /// `#expect` takes no call that changes a value.
    private final class Waiting {
        private var shifts = Shifts()

        init(for times: TimeOfDay..., since: Int) { shifts.wait(for: times, since: since) }

        var next: Int? { shifts.next }
        func wait(for times: TimeOfDay..., since: Int) { shifts.wait(for: times, since: since) }
        func waitForNone() { shifts.wait(for: [], since: 0) }
        func look(at now: Int) -> Bool { shifts.look(at: now) }
    }

    private static func at(_ hour: Int, _ minute: Int = 0) -> TimeOfDay { TimeOfDay(hour: hour, minute: minute) }

    private static func zone(_ name: String) {
        setenv("TZ", name, 1)
        tzset()
    }

    /// What a clock that does nothing but go on finds from one instant to another, in steps of a nap.
    private static func ends(_ times: [TimeOfDay], from start: Int, to end: Int) -> [Int] {
        var shifts = Shifts()
        shifts.wait(for: times, since: start)
        var (now, found) = (start, [Int]())
        while now < end {
            now = min(now + ShiftClock.longestNap, max(shifts.next ?? end, now + 1))
            if shifts.look(at: now) { found.append(now) }
        }
        return found
    }

    @Test func `each shift ends once a day`() async {
        await #expect(processExitsWith: .success) {
            Self.zone("UTC")
            let found = Self.ends(
                [Self.at(14), Self.at(22, 30)], from: Self.midnight, to: Self.midnight + 2 * Self.day)
            let wanted = [14 * Self.hour, 22 * Self.hour + 1800].flatMap { [$0, $0 + Self.day] }.sorted()
            #expect(found == wanted.map { Self.midnight + $0 })
        }
    }

    @Test(arguments: [
        // Berlin's summer time begins on 2026-03-29: the clock goes from 02:00 to 03:00, one hour after midnight UTC.
        ("Europe/Berlin", 1_774_738_800, 2, 30, [1_774_747_800, 1_774_830_600]),
        // It ends on 2026-10-25: 02:30 comes twice, the first time at 00:30 UTC. Once batond starts at noon of the day before, and once at
        // midnight: it hangs on what was asked before which of both the C library takes.
        ("Europe/Berlin", 1_792_836_000, 2, 30, [1_792_888_200, 1_792_978_200]),
        ("Europe/Berlin", 1_792_879_200, 2, 30, [1_792_888_200, 1_792_978_200]),
        // Lord Howe's clock goes back by half an hour, at 02:00 of 2026-04-05: 01:45 comes twice.
        ("Australia/Lord_Howe", 1_775_307_600, 1, 45, [1_775_313_900, 1_775_402_100]),
    ])
    func `a change to summer time or back ends a shift once, and none is left out`(
        zone: String, start: Int, hour: Int, minute: Int, wanted: [Int]
    ) async {
        await #expect(processExitsWith: .success) {
            [
                zone = zone as String, start = start as Int, hour = hour as Int, minute = minute as Int,
                wanted = wanted as [Int]
            ] in
            Self.zone(zone)
            let found = Self.ends([Self.at(hour, minute)], from: start, to: start + 2 * Self.day)
            #expect(found == wanted)
        }
    }

    @Test func `a time zone that the machine gets later is seen`() async {
        await #expect(processExitsWith: .success) {
            Self.zone("Pacific/Kiritimati")
            let shifts = Waiting(for: Self.at(14), since: Self.midnight)
            // Fourteen hours ahead: it is 14:00 there, and the next one is a day later.
            #expect(shifts.next == Self.midnight + Self.day)
            setenv("TZ", "Pacific/Pago_Pago", 1)
            // Eleven hours back: it is 13:00 there of the day before.
            #expect(shifts.next == Self.midnight + Self.hour)
        }
    }

    @Test func `a clock that is set back a little ends a shift once, and one that is set back far ends it again`() async
    {
        await #expect(processExitsWith: .success) {
            Self.zone("UTC")
            let end = Self.midnight + 14 * Self.hour
            let shifts = Waiting(for: Self.at(14), since: Self.midnight)
            #expect(shifts.look(at: end))
            // By five minutes, as a time server may; the next look comes after a nap.
            #expect(!shifts.look(at: end - 300 + ShiftClock.longestNap))
            #expect(shifts.next == end + Self.day)
            // By five hours: what was yesterday's, or never was, must not skip the one of today.
            #expect(!shifts.look(at: end - 5 * Self.hour))
            #expect(shifts.next == end)
            #expect(shifts.look(at: end + 1))
        }
    }

    @Test func `a clock that is set back before a shift still ends it`() async {
        await #expect(processExitsWith: .success) {
            Self.zone("UTC")
            let end = Self.midnight + 14 * Self.hour
            // The machine started with a clock that was two days ahead.
            let shifts = Waiting(for: Self.at(14), since: end + 2 * Self.day)
            #expect(!shifts.look(at: end - 60))
            #expect(shifts.next == end)
            #expect(shifts.look(at: end))
        }
    }

    @Test func `a shift that ended long ago, as before a suspend, says nothing about who is there now`() async {
        await #expect(processExitsWith: .success) {
            Self.zone("UTC")
            let end = Self.midnight + 14 * Self.hour
            let shifts = Waiting(for: Self.at(14), since: Self.midnight)
            #expect(!shifts.look(at: end + 3 * Self.hour))
            #expect(shifts.next == end + Self.day)
        }
    }

    @Test func `settings that are read anew keep what is waited for and add what is new`() async {
        await #expect(processExitsWith: .success) {
            Self.zone("UTC")
            let end = Self.midnight + 14 * Self.hour
            let shifts = Waiting(for: Self.at(14), since: Self.midnight)
            // Right after the end, before it was looked at: the new one waits from now on.
            shifts.wait(for: Self.at(14), Self.at(13), since: end + 1)
            #expect(shifts.next == end)
            #expect(shifts.look(at: end + 1))
            #expect(shifts.next == Self.midnight + Self.day + 13 * Self.hour)
            shifts.waitForNone()
            #expect(shifts.next == nil && !shifts.look(at: end + Self.day))
        }
    }
}
