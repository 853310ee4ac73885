import BatonContract
import Browsers
import LinuxSystem
import Logging

/// The provider's pages for signing in.
extension KioskBrowsers {
    /// Each sign-in begins in a browser of its own: what another person did or left in another is not this person's.
    func openSignIn(_ url: String, again isAgain: Bool) async throws(BrowserFault) {
        let ends = signInEnds
        var fresh = await next()
        if fresh == nil { fresh = await next() }
        guard let instance = fresh else { throw .notStarted("no browser") }
        do throws(BrowserFault) {
            guard ends == signInEnds else { throw BrowserFault.notStarted("the sign-in is over") }
            try await instance.browser.limit(to: .signIn(places(of: url)))
            try await instance.browser.open(url)
            guard ends == signInEnds else { throw BrowserFault.notStarted("the sign-in is over") }
        } catch {
            leaving.append(instance)
            await settle(limit: TimeLimit(.seconds(3)))
            throw error
        }
        if isAgain {
            if let old = again { leaving.append(old) }
            again = instance
        } else {
            // A start page's browser has shown no worker anything; that of another sign-in may hold a session.
            if let old = front { if isSigningIn { leaving.append(old) } else { discard(old) } }
            front = instance
            isSigningIn = true
        }
        watchSignIn(instance)
        // Not waited for: the page is there.
        if !leaving.isEmpty { Task { await settle(limit: TimeLimit(.seconds(3))) } }
    }

    private func places(of url: String) -> [String] {
        let named = settings.signInPages.map { PageAddress($0)?.origin ?? $0.lowercased() }
        return named + [PageAddress(url)?.origin].compactMap(\.self)
    }

    /// Ends what a sign-in without success has left; true when that is proven.
    func closeSignIn(limit: TimeLimit) async -> Bool {
        signInEnds &+= 1
        signInWatch?.cancel()
        if let instance = again {
            again = nil
            leaving.append(instance)
        }
        if isSigningIn, turn == nil {
            isSigningIn = false
            if let instance = front { leaving.append(instance) }
            front = nil
        }
        let left = await settle(limit: limit)
        await sayPage()
        // Not waited for: that nothing is left is the answer, and to start a browser may take longer than batond waits for it.
        if turn == nil { Task { await open() } }
        return left.isEmpty
    }

    // MARK: A sign-in that is not finished

    /// Cancels the sign-in if no person has touched the terminal, and its page has requested nothing, for as long as the
    /// settings say.
    private func watchSignIn(_ instance: BrowserInstance) {
        signInWatch?.cancel()
        signInWatch = Task { [weak self] in
            while let left = await self?.patience(with: instance), !Task.isCancelled {
                guard left > .zero else {
                    await self?.leaveSignIn()
                    return
                }
                // It cannot be over sooner, and is over later if the terminal is touched meanwhile.
                try? await OwnTasks.sleep(for: left)
            }
        }
    }

    /// How long there may still be no input; nil: this is no browser of a sign-in.
    private func patience(with instance: BrowserInstance) async -> Duration? {
        guard front === instance && isSigningIn || again === instance else { return nil }
        let silent = instance.browser.lastRequest.duration(to: .now)
        let idle = await outside.idle() ?? silent
        return settings.leftAfter - min(silent, idle)
    }

    /// No person is at the sign-in any more, or can be: its page is gone.
    func leaveSignIn() async {
        log.notice("a sign-in was left")
        await outside.signInLeft()
        // batond has had it closed, or does not know of it.
        if isSigningIn || again != nil { _ = await closeSignIn(limit: TimeLimit(.seconds(3))) }
    }
}
