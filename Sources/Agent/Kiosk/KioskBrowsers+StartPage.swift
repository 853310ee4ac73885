import BatonContract
import Logging

/// Whether the start page is on the screen of a free device.
extension KioskBrowsers {
    /// A start page that is not painted in time is none: another browser shows it.
    func watchStart(of instance: BrowserInstance) {
        // A machine that was too slow for one is no quicker for the next: that has longer, or none would ever have its page.
        let limit = settings.startLimit * (1 << min(lateStarts, 3))
        Task { [weak self, startPages] in
            let isPainted = await startPages.untilPainted(instance, atMost: limit)
            await self?.started(instance, isPainted)
        }
    }

    private func started(_ instance: BrowserInstance, _ isPainted: Bool) async {
        guard front === instance, turn == nil, !isSigningIn else { return }
        if isPainted {
            lateStarts = 0
            return await sayPage()
        }
        lateStarts += 1
        log.error("a browser does not show the start page")
        front = nil
        discard(instance)
        await sayPage()
        await showAgain()
    }

    /// Waits until the page in front shows the state that is, at most so long.
    func untilCurrent(atMost limit: Duration) async {
        if let front { await startPages.untilCurrent(front, atMost: limit) }
    }

    /// Says whether a free device shows its start page, when that has changed.
    ///
    /// - Parameter isNews: Also when it has not: the supervisor is another one. If the device is not free, it is told when
    ///   it is free again.
    /// - Parameter wasMissed: A sign-out has just failed for want of it. What was said before the turn does not hold then, and one that
    ///   has come since is news, upon which the supervisor tries again.
    func sayPage(isNews: Bool = false, wasMissed: Bool = false) async {
        if isNews { isShownSaid = nil }
        if wasMissed, isShownSaid != false {
            isShownSaid = false
            await outside.startPage(false)
        }
        guard turn == nil, !isSigningIn else { return }
        var isShown = false
        if let front { isShown = await startPages.isPainted(front) }
        guard turn == nil, !isSigningIn, isShown != isShownSaid else { return }
        isShownSaid = isShown
        await outside.startPage(isShown)
    }
}
