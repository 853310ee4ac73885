import Wiping

/// The agent's page in front was closed, has crashed, or shows what it may not.
extension Browsers {
    func lost(_ id: ObjectIdentifier) async {
        guard isOpen else { return }
        if again?.id == id { return await leaveSignIn() }
        guard let seat = front, seat.id == id else { return }
        if turn == nil, isSigningIn { return await leaveSignIn() }
        log.notice("the page in front was lost")
        let isWorkers = turn != nil
        await sayPage()
        // In a free device's browser nothing was open but this page.
        if await reopen(in: seat), front === seat { return await sayPage() }
        guard front === seat else { return }
        front = nil
        leaving.append(seat)
        await settle(limit: TimeLimit(.seconds(3)))
        guard isWorkers == (turn != nil) else { return }
        await showAgain()
    }

    private func reopen(in seat: Seat) async -> Bool {
        let page = turn != nil && !settings.startPage.isEmpty ? settings.startPage : settings.address + "/"
        await desk.expectPaint(seat)
        guard (try? await seat.browser.open(page)) != nil else { return false }
        guard page == settings.address + "/" else { return true }
        return await desk.untilPainted(seat, atMost: .seconds(5))
    }
}
