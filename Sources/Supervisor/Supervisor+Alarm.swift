internal import Supervision

extension Supervisor {
    /// Microseconds.
    private static let longestNap: UInt64 = 10_000_000
    private static let sameAlarm: UInt64 = 1000

    func setAlarm() {
        let now = clock.now()
        guard let delay = machine.nextAlarm(at: now) else {
            alarm?.task.cancel()
            alarm = nil
            return
        }
        let (due, overflow) = now.boottime.addingReportingOverflow(delay)
        guard !overflow else { return }
        // The clocks are not read at the same instant, so that the same deadline comes out a little different each time.
        if let alarm, max(alarm.due, due) - min(alarm.due, due) < Self.sameAlarm { return }
        alarm?.task.cancel()
        let task = Task {
            // A sleep that is cancelled keeps its memory until its time, so a long one is slept in naps; a tick that
            // comes early changes nothing and sets the next.
            try? await Task.sleep(for: .microseconds(Int64(clamping: min(delay, Self.longestNap))))
            guard !Task.isCancelled else { return }
            alarm = nil
            post(.tick)
        }
        alarm = (due, task)
    }
}
