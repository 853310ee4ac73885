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
        shifts.wait(for: settings.automaticSignOut.at, since: since)
        guard shifts.next != nil else { return }
        shiftAlarm = Task(executorPreference: thread.tasks) { await self.keepShifts() }
    }

    private func keepShifts() async {
        while let next = shifts.next {
            let left = Duration.seconds(next) - .microseconds(now.wall)
            let nap = min(max(left, .zero), .seconds(ShiftClock.longestNap))
            guard (try? await thread.sleep(for: nap)) != nil, !Task.isCancelled else { return }
            if shifts.look(at: seconds) { post(.automaticSignOutDue(.expired)) }
        }
    }

    private var seconds: Int { Int(clamping: now.wall / 1_000_000) }
}
