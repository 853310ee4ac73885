internal import Logging

/// Whether the start page is on the screen of a free device.
extension Browsers {
    /// A start page that is not painted in time is none: another browser shows it.
    func watchStart(of seat: Seat) {
        Task { [weak self, desk, settings] in
            let isPainted = await desk.untilPainted(seat, atMost: settings.startLimit)
            await self?.started(seat, isPainted)
        }
    }

    private func started(_ seat: Seat, _ isPainted: Bool) async {
        guard front === seat, turn == nil, !isSigningIn else { return }
        if isPainted { return await sayPage() }
        log.error("a browser does not show the start page")
        front = nil
        discard(seat)
        await sayPage()
        await showAgain()
    }

    /// Says whether a free device shows its start page, when that has changed.
    ///
    /// - Parameter isNews: Also when it has not.
    func sayPage(isNews: Bool = false) async {
        guard turn == nil, !isSigningIn else { return }
        var isShown = false
        if let front { isShown = await desk.isPainted(front) }
        guard turn == nil, !isSigningIn, isNews || isShown != isShownSaid else { return }
        isShownSaid = isShown
        await outside.startPage(isShown)
    }
}
