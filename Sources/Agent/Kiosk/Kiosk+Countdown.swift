import BatonContract
import Display
import LinuxSystem
import Vocabulary

extension Kiosk {
    /// - Parameter deadline: CLOCK_BOOTTIME in microseconds.
    func startCountdown(until deadline: UInt64, _ reason: SignOutReason?) {
        countdown?.task.cancel()
        let task = Task { [weak self, link] in
            let name = await link.account()?.name ?? ""
            await self?.showOnPages(until: deadline, reason)
            // Page and panel count by themselves: a notice of the desktop does not.
            while !Task.isCancelled {
                let left = CountedLines.secondsLeft(until: deadline)
                let shown = Countdown(end: deadline, secondsLeft: left, reason: reason, name: name)
                guard await self?.showCountdown(shown) == false, left > 0 else { return }
                try? await OwnTasks.sleep(for: .seconds(1))
            }
        }
        countdown = (task, deadline, reason)
    }

    /// One that has begun before this agent came.
    func takeOverCountdown(in epoch: Epoch) async {
        guard countdown == nil, let found = await link.information(), found.epoch == epoch, found.countdownEnds > 0,
            countdown == nil
        else { return }
        startCountdown(until: found.countdownEnds, found.countdownReason)
        // What ended it before it began here is told no more.
        if await link.information()?.countdownEnds == 0 { await endCountdown() }
    }

    /// What a lock has hidden.
    func resumeCountdown() {
        if let countdown { startCountdown(until: countdown.deadline, countdown.reason) }
    }

    func endCountdown() async {
        guard let countdown else { return }
        countdown.task.cancel()
        self.countdown = nil
        await startPages?.change { $0.countdownEnds = nil }
        await parts.notice?.close()
    }

    private func showOnPages(until deadline: UInt64, _ reason: SignOutReason?) async {
        guard countdown != nil else { return }
        let now = BootClock.now
        let left = Int64(clamping: deadline > now ? (deadline - now) / 1000 : 0)
        let ends = UnixTime.milliseconds &+ left
        let cause = Countdown(secondsLeft: 0, reason: reason, name: "").causeName
        await startPages?.change { ($0.countdownEnds, $0.cause) = (ends, cause) }
    }

    /// - Returns: False: it is to be shown again each second.
    private func showCountdown(_ shown: Countdown) async -> Bool {
        // Above a lock, a stranger could keep a worker signed in.
        guard countdown != nil, locked == nil, let notice = parts.notice else { return true }
        var shown = shown
        shown.language = language
        let counts = await notice.show(shown)
        // A lock, or the end, came while it was being shown.
        if countdown == nil || locked != nil { await notice.close() }
        return counts
    }
}
