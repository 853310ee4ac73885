import DBus
import Providers
import SessionMachine

extension Supervisor {
    /// When the machine wants to be told that time has passed.
    struct Alarm {
        /// In microseconds: the one on CLOCK_MONOTONIC, by which sign-outs go, the other on CLOCK_BOOTTIME.
        var deadline: Deadline
        var timer: BusThread.Timer
    }

    struct Deadline {
        var monotonic: UInt64
        var boottime: UInt64
    }

    /// Microseconds.
    private static let sameAlarm: UInt64 = 1000
    /// A wall clock that was set is noticed within this time; a tick that comes early changes nothing and sets the next.
    private static let longestNap = UInt64(ShiftClock.longestNap) * 1_000_000

    func setAlarm() {
        // The tick that comes when all is read sets the next.
        guard missedDeadline == nil else { return }
        let now = clock.now()
        // From when all was acted on: one that has passed since, while this thread stood still, is as old as it is.
        let from = acted ?? now
        guard let distance = machine.nextAlarm(at: from) else {
            if let alarm { thread.cancel(alarm.timer) }
            alarm = nil
            return
        }
        let (due, overflow) = from.boottime.addingReportingOverflow(distance)
        guard !overflow else { return }
        let deadline = Deadline(monotonic: from.monotonic.adding(distance), boottime: due)
        // The clocks are not read at the same instant, so that the same deadline comes out a little different each time.
        if let old = alarm?.deadline.boottime, max(old, due) - min(old, due) < Self.sameAlarm { return }
        if let alarm { thread.cancel(alarm.timer) }
        let delay = min(distance, machine.nextAlarm(at: now) ?? distance, Self.longestNap)
        let timer = thread.schedule(after: .microseconds(Int64(clamping: delay))) { [weak self] in
            self?.assumeIsolated { $0.ring() }
        }
        alarm = Alarm(deadline: deadline, timer: timer)
    }

    /// What changes deadlines acts on none.
    func noteTime(of event: Event) {
        let time = event.sent ?? event.at
        switch event.kind {
        case .announcedLate: break
        case .started: acted = time
        default: if time.monotonic >= acted?.monotonic ?? 0 { acted = time }
        }
    }

    /// What was sent before a deadline counts, also where this thread did not run for a while, as under a debugger: so all of
    /// that is read before the deadline is acted on.
    private func ring() {
        guard let alarm else { return }
        self.alarm = nil
        guard isLate(for: alarm.deadline, at: clock.now()), let outlet else { return post(.tick) }
        missedDeadline = alarm.deadline
        Task(executorPreference: thread.tasks) {
            await outlet.listen()
            await self.act()
        }
    }

    /// All that may have been sent before the deadline has been heard.
    private func act() {
        missedDeadline = nil
        post(.tick)
    }

    /// If a deadline has passed and the machine has not acted on it yet, the moment before it: what comes in may be as old as
    /// that.
    func timeOfSending(at now: Moment) -> Moment? {
        guard let deadline = missedDeadline ?? alarm?.deadline, isLate(for: deadline, at: now) else { return nil }
        return Moment(
            monotonic: min(now.monotonic, deadline.monotonic.subtracting(1)),
            boottime: min(now.boottime, deadline.boottime.subtracting(1)), wall: now.wall)
    }

    /// A deadline has passed of a sign-out that can still end well, or of one that comes by itself unless a caller objects.
    private func isLate(for deadline: Deadline, at now: Moment) -> Bool {
        guard let barrier = machine.ledger.barrier else {
            return machine.pending != nil && now.boottime >= deadline.boottime
        }
        guard !barrier.ended, !barrier.waitsForAgent else { return false }
        return now.monotonic >= deadline.monotonic && now.monotonic < barrier.absolute
    }
}
