internal import DBus
internal import Supervision

extension Supervisor {
    /// Microseconds.
    private static let sameAlarm: UInt64 = 1000
    /// A wall clock that was set is noticed within this time; a tick that comes early changes nothing and sets the next.
    private static let longestNap = UInt64(ShiftClock.longestNap) * 1_000_000

    func setAlarm() {
        let now = clock.now()
        guard let delay = machine.nextAlarm(at: now) else {
            if let alarm { thread.cancel(alarm.timer) }
            alarm = nil
            return
        }
        let (due, overflow) = now.boottime.addingReportingOverflow(delay)
        guard !overflow else { return }
        // The clocks are not read at the same instant, so that the same deadline comes out a little different each time.
        if let alarm, max(alarm.due, due) - min(alarm.due, due) < Self.sameAlarm { return }
        if let alarm { thread.cancel(alarm.timer) }
        let timer = thread.schedule(after: .microseconds(Int64(clamping: min(delay, Self.longestNap)))) { [weak self] in
            self?.assumeIsolated { supervisor in
                supervisor.alarm = nil
                supervisor.post(.tick)
            }
        }
        alarm = (due, timer)
    }
}
