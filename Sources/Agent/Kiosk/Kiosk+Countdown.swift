import BatonContract
import LinuxSystem
import Vocabulary

extension Kiosk {
    /// - Parameter deadline: CLOCK_BOOTTIME in microseconds.
    func startCountdown(until deadline: UInt64, _ reason: SignOutReason?) {
        countdown?.cancel()
        countdown = Task { [weak self, link] in
            let name = await link.account()?.name ?? ""
            await self?.showOnPages(until: deadline, reason)
            while !Task.isCancelled {
                let left = Self.secondsLeft(until: deadline)
                await self?.showCountdown(Countdown(secondsLeft: left, reason: reason, name: name))
                guard left > 0 else { return }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    func endCountdown() async {
        guard countdown != nil else { return }
        countdown?.cancel()
        countdown = nil
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

    private func showCountdown(_ shown: Countdown) async {
        guard countdown != nil else { return }
        var shown = shown
        shown.language = language
        // Above a lock, a stranger could keep a worker signed in.
        if locked == nil { await parts.notice?.show(shown) }
    }

    private static func secondsLeft(until deadline: UInt64) -> Int {
        let passed = BootClock.now
        return deadline > passed ? Int(clamping: (deadline - passed + 999_999) / 1_000_000) : 0
    }
}
