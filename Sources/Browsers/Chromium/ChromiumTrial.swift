import LinuxSystem
import Synchronization

/// Whether a Chromium does what the agent rests on: that requests are seen at the level of the browser, those of hidden pages
/// too, and can be answered. No version of it promises that.
///
/// A browser of its own is tried, without a display: hidden pages need a window first, and in a waiting browser a
/// window would be seen.
struct ChromiumTrial {
    let maker: ChromiumMaker

    func run(_ setup: BrowserSetup) async -> Result<Void, BrowserFault> {
        let (requests, request) = AsyncStream.makeStream(of: String.self)
        let browser: Chromium
        switch await maker.launch(setup, pages: Pages(request: request), display: .none) {
        case .success(let launched): browser = launched
        case .failure(let fault): return .failure(fault)
        }
        let fault = await check(browser, setup, requests)
        _ = await browser.end(limit: TimeLimit(.seconds(3)))
        return fault.map { .failure($0) } ?? .success(())
    }

    private func check(_ browser: Chromium, _ setup: BrowserSetup, _ requests: AsyncStream<String>) async
        -> BrowserFault?
    {
        do {
            let path = (PageAddress(setup.address)?.origin ?? setup.address) + "/trial"
            try await browser.limit(to: .turn)
            try await browser.link.call(CreateTarget.window("about:blank"), limit: ChromiumMaker.slowestStart)
            try await browser.link.call(CreateTarget.hidden(path), limit: ChromiumMaker.slowestStart)
            guard let url = await requests.first(within: ChromiumMaker.slowestStart), url == path else {
                return .unfit("it does not ask before it loads a page")
            }
            return nil
        } catch .refused(let method, let why) {
            return .unfit("\(method): \(why)")
        } catch {
            return error
        }
    }

    private struct Pages: BrowserPages {
        let request: AsyncStream<String>.Continuation

        func answer(_ request: BrowserRequest) async -> BrowserResponse {
            self.request.yield(request.url)
            return BrowserResponse(status: 204)
        }

        func saw(_ url: String, in browser: ObjectIdentifier) async {}
        func lost(in browser: ObjectIdentifier) async {}
    }
}
