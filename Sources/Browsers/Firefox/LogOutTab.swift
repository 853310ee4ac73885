/// The hidden tab of one log-out: what the network reports of it, in the log-out's words.
struct LogOutTab {
    enum News: Sendable {
        /// The provider answered something.
        case answered
        /// It sent the browser to our address.
        case confirmed
        /// It cannot be reached.
        case failed
        /// It was silent for as long as it may be.
        case silent
        /// All the time is over.
        case over
    }

    private let address: PageAddress?
    private let state: Substring?
    private let news: AsyncStream<News>.Continuation

    /// - Parameter answer: Where the provider sends the browser, with our `state`.
    init(answer: String, news: AsyncStream<News>.Continuation) {
        address = PageAddress(answer)
        state = PageAddress.state(of: answer)
        self.news = news
    }

    /// Whether this is our address.
    func requested(_ event: NetworkEvent) -> Bool {
        let url = event.request.url
        guard event.navigation != nil, let address, PageAddress(url) == address, PageAddress.state(of: url) == state
        else { return false }
        news.yield(.confirmed)
        return true
    }

    func responded(_ event: NetworkEvent) { if event.navigation != nil { news.yield(.answered) } }

    func failed(_ event: NetworkEvent) { if event.navigation != nil { news.yield(.failed) } }
}

extension FirefoxState {
    func logOut(of event: NetworkEvent) -> LogOutTab? { tab(of: event.context).flatMap { logOuts[$0] } }
}
