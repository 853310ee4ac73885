import BatonContract
import Browsers
import LinuxSystem
import Logging

/// The browser of the worker who holds the device.
extension KioskBrowsers {
    /// The front browser is this worker's from now on.
    ///
    /// - Returns: The work of showing it, which may take as long as a browser's start.
    @discardableResult
    func begin(_ turn: Turn) -> Task<Void, Never> {
        // Its end may have come while its beginning was under way.
        guard gate.admits(turn.epoch) else { return Task {} }
        // Only a browser of the turn's own user can become the worker's.
        if settings.hasTurnUser, let other = front, other.user != turn.user {
            front = nil
            discard(other)
        }
        // A turn that goes on, as after batond's own restart, keeps the page that the worker has.
        let goesOn = self.turn?.epoch == turn.epoch && front != nil
        self.turn = turn
        isSigningIn = false
        signInWatch?.cancel()
        return Task {
            await keepTrying { $0.turn == turn }
            guard isOpen, self.turn == turn else { return }
            await attend(turn, isNew: !goesOn)
            standBy()
            prepareSpare()
        }
    }

    func attend(_ turn: Turn, isNew: Bool = true) async {
        guard let front else { return }
        do {
            try await front.browser.limit(to: .turn)
        } catch {
            log.error("the worker's browser shows no pages", metadata: ["cause": "\(error)"])
        }
        if let language = PageLanguage(locale: turn.locale) {
            do {
                try await front.browser.setLanguage(language)
            } catch {
                log.warning("pages are not told the worker's language", metadata: ["cause": "\(error)"])
            }
        }
        if !turn.endSession.isEmpty {
            do {
                try await front.browser.watch([turn.endSession] + turn.logOuts)
            } catch {
                log.error("sign-outs in the browser go unseen", metadata: ["cause": "\(error)"])
            }
        }
        if isNew, !settings.startPage.isEmpty { try? await front.browser.open(settings.startPage) }
        poll?.cancel()
        poll = Task { [weak self] in await self?.pollSession(turn, front) }
    }

    /// Slowly looks whether the provider's session cookie is still there, which also tells of ends that no page announced.
    private func pollSession(_ turn: Turn, _ instance: BrowserInstance) async {
        let page = turn.issuer.isEmpty ? turn.endSession : turn.issuer
        guard !page.isEmpty else { return }
        var known: Set<String> = []
        while !Task.isCancelled, self.turn == turn, front === instance {
            if let names = await instance.browser.sessionCookies(of: page), !Task.isCancelled {
                let wanted = settings.sessionCookie
                if !wanted.isEmpty {
                    if names.contains(wanted) { known = [wanted] }
                } else if known.isEmpty {
                    known = names
                }
                if !known.isEmpty, known.isDisjoint(with: names) {
                    await outside.sessionEnded(turn.epoch)
                    return
                }
            }
            try? await OwnTasks.sleep(for: .seconds(3))
        }
    }

    /// Whether this is the browser of the running turn.
    func isWorkers(_ id: ObjectIdentifier) -> Bool { turn != nil && front?.id == id }
}
