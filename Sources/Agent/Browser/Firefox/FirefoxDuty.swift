/// What an event asks of us.
enum FirefoxDuty: Sendable {
    /// Somebody requested a watched address.
    case report(String)
    case answer(NetworkEvent.Request)
    case refuse(String, status: Int)
    case fail(String)
    case pass(String)
    case close(String)
}

extension FirefoxState {
    mutating func duties(after event: BiDiEvent) -> [FirefoxDuty] {
        switch event {
        case .contextCreated(let context):
            add(context)
            // A page that nobody sees opens no windows.
            if let opener = tab(of: context.originalOpener), logOuts[opener] != nil { return [.close(context.context)] }
        case .contextDestroyed(let context): remove(context)
        case .response(let event): logOut(of: event)?.responded(event)
        case .failure(let event): logOut(of: event)?.failed(event)
        case .request(let event): return duties(after: event)
        }
        return []
    }

    /// Exactly one duty settles a request that waits.
    private mutating func duties(after event: NetworkEvent) -> [FirefoxDuty] {
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
        if event.navigation != nil, let address, !isAllowed(address) { return report + [.fail(id)] }
        return [.pass(id)] + report
    }
}
