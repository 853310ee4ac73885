import BatonContract
import Browsers
import LinuxSystem
import Logging

/// The agent's page in front was closed, has crashed, or shows what it may not.
extension KioskBrowsers {
    func lost(_ id: ObjectIdentifier) async {
        guard isOpen else { return }
        if again?.id == id { return await leaveSignIn() }
        guard let instance = front, instance.id == id else { return }
        if turn == nil, isSigningIn { return await leaveSignIn() }
        log.notice("the page in front was lost")
        let isWorkers = turn != nil
        await sayPage()
        // In a free device's browser nothing was open but this page.
        if await reopen(in: instance), front === instance { return await sayPage() }
        guard front === instance else { return }
        front = nil
        leaving.append(instance)
        await settle(limit: TimeLimit(.seconds(3)))
        guard isWorkers == (turn != nil) else { return }
        await showAgain()
    }

    private func reopen(in instance: BrowserInstance) async -> Bool {
        let page = turn != nil && !settings.startPage.isEmpty ? settings.startPage : settings.address + "/"
        await startPages.expectPaint(instance)
        guard (try? await instance.browser.open(page)) != nil else { return false }
        guard page == settings.address + "/" else { return true }
        return await startPages.untilPainted(instance, atMost: .seconds(5))
    }
}
