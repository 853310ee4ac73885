import DBus
import Providers
import SessionMachine
import Settings
import Vocabulary

extension Supervisor {
    /// Sleeps until the next time of day at which a worker who is signed in shall be asked to leave.
    ///
    /// - Parameter atStart: The batond before this one may have been ended in the middle of a countdown, which no journal
    ///   holds, or just before it began.
    package func setShiftAlarm(atStart: Bool = false) {
        shiftAlarm?.cancel()
        shiftAlarm = nil
        var since = seconds
        if atStart {
            since -= Int(clamping: settings.automaticSignOut.countdown.microseconds / 1_000_000) + 1
            // Who came after the shift's end is of the next one.
            if let turn = machine.ledger.device.turn { since = max(since, Int(clamping: turn.when / 1_000_000)) }
        }
        // Settings that are read anew right at the end of a shift must not lose it.
        let before = shifts
        shifts = [:]
        for time in settings.automaticSignOut.at { shifts[time] = before[time] ?? since }
        guard !shifts.isEmpty else { return }
        shiftAlarm = Task(executorPreference: thread.tasks) { await self.keepShifts() }
    }

    private func keepShifts() async {
        while let next = shifts.compactMap({ ShiftClock.next($0.key, after: $0.value) }).min() {
            let left = Duration.seconds(next) - .microseconds(now.wall)
            let nap = min(max(left, .zero), .seconds(ShiftClock.longestNap))
            guard (try? await thread.sleep(for: nap)) != nil, !Task.isCancelled else { return }
            let now = seconds
            guard now >= next else {
                // Set back by more than a nap: yesterday's would skip today's shift.
                shifts = shifts.mapValues { min($0, now) }
                continue
            }
            // After a long suspend the shift that ended long ago says nothing about this worker.
            if now - next < 2 * ShiftClock.longestNap { post(.automaticSignOutDue(.expired)) }
            shifts = shifts.mapValues { _ in now }
        }
    }

    private var seconds: Int { Int(clamping: now.wall / 1_000_000) }
}
