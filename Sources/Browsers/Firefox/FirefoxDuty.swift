/// What an event asks of us.
enum FirefoxDuty: Sendable {
    /// A page requested a watched address.
    case report(String)
    case answer(NetworkEvent.Request)
    case refuse(String, status: Int)
    case fail(String)
    case pass(String)
    case close(String)
    /// The agent's own page is not to be seen any more.
    case lost
}

extension FirefoxState {
    mutating func duties(after event: BiDiEvent) -> [FirefoxDuty] {
        switch event {
        case .contextCreated(let context):
            add(context)
            // A page that no worker sees opens no windows.
            if let opener = tab(of: context.originalOpener), logOuts[opener] != nil { return [.close(context.context)] }
            if isStranger(context.context) { return [.close(context.context)] }
        case .contextDestroyed(let context): return remove(context) ? [.lost] : []
        case .navigation(let context): return duties(afterNavigation: context)
        case .committed(let context): return duties(afterCommitted: context)
        case .response(let event): logOut(of: event)?.responded(event)
        case .failure(let event): logOut(of: event)?.failed(event)
        case .request(let event): return duties(after: event)
        }
        return []
    }

    /// Firefox's own pages are no requests: their address was typed.
    private func duties(afterNavigation event: ContextEvent) -> [FirefoxDuty] {
        guard reach.isFree, let url = event.url, url != "about:blank", PageAddress(url) == nil else { return [] }
        if event.context == pages.own { return [.lost] }
        return isStranger(event.context) ? [.close(event.context)] : []
    }

    /// Firefox's page in place of one whose process has ended: nothing was navigated, so nothing was said to start.
    private func duties(afterCommitted event: ContextEvent) -> [FirefoxDuty] {
        guard reach.isFree, event.context == pages.own, event.url?.hasPrefix("about:tabcrashed") == true else {
            return []
        }
        return [.lost]
    }

    /// Exactly one duty settles a request that waits.
    private mutating func duties(after event: NetworkEvent) -> [FirefoxDuty] {
        if event.context != nil { lastRequest = .now }
        let id = event.request.request
        let address = PageAddress(event.request.url)
        let logOut = logOut(of: event)
        if let logOut, logOut.requested(event) {
            return event.isBlocked ? [.refuse(id, status: 200)] : []
        }
        let isWatched = logOut == nil && address.map { watched.contains($0) } ?? false
        let report: [FirefoxDuty] = isWatched ? [.report(event.request.url)] : []
        guard event.isBlocked else { return report }
        if let address, isAnswered(address) {
            guard held < Self.mostHeld else { return report + [.refuse(id, status: 503)] }
            held += 1
            return report + [.answer(event.request)]
        }
        return report + [duty(of: event, address, id)]
    }

    private func duty(of event: NetworkEvent, _ address: PageAddress?, _ id: String) -> FirefoxDuty {
        guard event.navigation != nil else {
            // What the browser asks for itself has no page.
            return reach == .startPage && event.context != nil ? .fail(id) : .pass(id)
        }
        guard let address else { return .pass(id) }
        // Answered with nothing, so that the page before it stays.
        if let isAllowed = reach.allows(address) { return isAllowed ? .pass(id) : .refuse(id, status: 204) }
        return isAllowed(address) ? .pass(id) : .fail(id)
    }
}
