internal import Supervision

extension Supervisor {
    /// Sleeps until the next time of day at which whoever is signed in shall be asked to leave.
    ///
    /// - Parameter atStart: The batond before this one may have been ended in the middle of a countdown, which no journal
    ///   holds, or just before it began.
    func setShiftAlarm(atStart: Bool = false) {
        shiftAlarm?.cancel()
        shiftAlarm = nil
        let times = settings.automaticSignOut.at
        guard !times.isEmpty else { return }
        shiftAlarm = Task(executorPreference: thread.tasks) { await self.keepShifts(times, atStart: atStart) }
    }

    private func keepShifts(_ times: [TimeOfDay], atStart: Bool) async {
        var last = seconds
        if atStart {
            last -= Int(clamping: settings.automaticSignOut.countdown.microseconds / 1_000_000) + 1
            // Who came after the shift's end is of the next one.
            if let turn = machine.ledger.device.turn { last = max(last, Int(clamping: turn.when / 1_000_000)) }
        }
        while !Task.isCancelled, let next = ShiftClock.next(times, after: last) {
            let left = max(0, next - seconds)
            guard (try? await thread.sleep(for: .seconds(min(left, ShiftClock.longestNap)))) != nil else { return }
            guard seconds >= next else {
                // Set back by more than a nap: yesterday's `last` would skip today's shift.
                last = min(last, seconds)
                continue
            }
            // After a long suspend the shift that ended long ago says nothing about this worker.
            if seconds - next < 2 * ShiftClock.longestNap { post(.automaticSignOutDue(.expired)) }
            last = seconds
        }
    }

    private var seconds: Int { Int(clamping: now.wall / 1_000_000) }
}
