import BatonContract
import Display
import Glibc
import LinuxSystem
import Presentation
import QRCodes
import Vocabulary

// A worker who is away for a moment.
extension Kiosk {
    /// How long what was typed stays if no PIN comes of it.
    private static let patience = Duration.seconds(20)

    /// - Returns: Whether all of the screen is covered.
    func lock(_ epoch: Epoch, _ order: LockOrder) async -> Bool {
        guard gate.admits(epoch), let screen = parts.screen else { return false }
        let language = Language(locale: order.locale) ?? configuration.startPage.language
        if locked?.epoch == epoch {
            // How the worker can come back may have changed, as by a batond that has lost their PIN.
            locked?.take(.init(order))
            return await showLock()
        }
        await parts.notice?.close()
        let new = LockedScreen(epoch: epoch, .init(order), language: language)
        locked = new
        guard await screen.lock(new.face), locked?.epoch == epoch else {
            if locked?.epoch == epoch {
                locked = nil
                // It may come yet, in part or late, and would hear nothing.
                if !isCovered { await openScreen() }
            }
            resumeCountdown()
            return false
        }
        isCovered = true
        listenToLock(screen)
        return true
    }

    /// A killed agent leaves the screen locked.
    var lockLasts: Bool { parts.screen?.lockLasts ?? false }

    func unlock(_ epoch: Epoch) async {
        guard locked?.epoch == epoch else { return }
        endLock()
        await uncover()
        resumeCountdown()
        watchIdleAnew()
    }

    /// What is pressed from now on means nothing. The cover stays.
    func endLock() {
        locked?.forget()
        locked = nil
        forgetting?.cancel()
        forgetting = nil
    }

    private func listenToLock(_ screen: any Screen) {
        guard lockKeys == nil else { return }
        lockKeys = Task { [weak self] in
            for await key in screen.lockKeys { await self?.pressed(key) }
        }
    }

    private func pressed(_ key: LockKey) async {
        let wish = locked?.press(key)
        await showLock()
        guard let wish, let epoch = locked?.epoch else { return }
        let answer: WorkerLine
        switch wish {
        case .unlock(let pin): answer = await link.unlock(pin: pin)
        case .signOut: answer = await link.signOut(.user, epoch: epoch)
        case .unlockByPhone:
            // Meanwhile other keys are pressed.
            Task { await unlockByPhone(epoch) }
            return
        case .cancel:
            // The call that waits hears of it.
            _ = await link.cancelSignIn()
            return
        }
        guard locked?.epoch == epoch else { return }
        locked?.refused(answer)
        await showLock()
    }

    private func unlockByPhone(_ epoch: Epoch) async {
        let answer = await link.unlockByPhone { [weak self] step in await self?.showAtLock(step, epoch) }
        guard locked?.epoch == epoch else { return }
        locked?.endPhone(answer)
        await showLock()
    }

    private func showAtLock(_ step: SignInStep, _ epoch: Epoch) async {
        guard let locked, locked.epoch == epoch else { return }
        self.locked?.show(LockCode(step, locked.language))
        await showLock()
    }

    /// - Returns: Whether all of the screen is covered.
    @discardableResult
    func showLock() async -> Bool {
        guard let locked else { return false }
        forgetting?.cancel()
        forgetting =
            locked.typed.isEmpty
            ? nil
            : Task { [weak self] in
                guard (try? await OwnTasks.sleep(for: Self.patience)) != nil else { return }
                await self?.forgetTyped()
            }
        let isCovered = await parts.screen?.lock(locked.face) ?? false
        // The worker came back meanwhile: the screen may have heard of that first.
        if self.locked == nil, !self.isCovered { await parts.screen?.uncover() }
        return isCovered
    }

    private func forgetTyped() async {
        guard locked?.isBusy == false else { return }
        locked?.forget()
        await showLock()
    }
}

extension LockedScreen.Terms {
    fileprivate init(_ order: LockOrder) {
        self.init(name: order.name, end: Self.clock(order.until), hasPIN: order.hasPIN, hasPhone: order.hasPhone)
    }

    private static func clock(_ until: UInt64) -> String {
        let passed = BootClock.now
        guard until > passed, until - passed < 86_400_000_000 else { return "" }
        return wallClock(time(nil) + time_t(clamping: (until - passed) / 1_000_000))
    }
}

extension LockCode {
    fileprivate init(_ step: SignInStep, _ language: Language) {
        let texts = WorkerTexts.of(language)
        let end = step.expires == 0 ? "" : wallClock(time_t(clamping: step.expires / 1_000_000))
        let picture = QRCode(step.scanned)
        self.init(
            hint: WorkerTexts.filled(texts.phoneHint, ["url": step.url]), code: step.userCode,
            end: end.isEmpty ? "" : WorkerTexts.filled(texts.phoneEnd, ["time": end]),
            modules: picture?.framed ?? [], width: picture?.side ?? 0)
    }
}

/// As the terminal's clock shows it; empty: it cannot.
private func wallClock(_ time: time_t) -> String {
    var (seconds, local) = (time, tm())
    guard localtime_r(&seconds, &local) != nil else { return "" }
    let minute = local.tm_min < 10 ? "0\(local.tm_min)" : "\(local.tm_min)"
    return "\(local.tm_hour):\(minute)"
}
