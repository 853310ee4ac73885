import LinuxSystem
import Sandbox
import Vocabulary

/// A Chromium that is told what to do over its debugging pipe.
final class Chromium: Browser {
    let confinement: any Confinement
    let link: ChromiumLink
    private let traffic: ChromiumTraffic

    init(_ confinement: any Confinement, _ link: ChromiumLink, _ traffic: ChromiumTraffic) {
        self.confinement = confinement
        self.link = link
        self.traffic = traffic
    }

    // A Chromium whose pipe is closed ends by itself.
    deinit { link.close() }

    /// A browser's first window takes a busy machine some seconds.
    private static let windowPatience = Duration.seconds(15)

    func open(_ url: String) async throws(BrowserFault) {
        // What the agent opens need not stand in the list of allowed pages.
        if let origin = PageAddress(url)?.origin { _ = traffic.change { $0.opened.insert(origin) } }
        try await traffic.opening { () async throws(BrowserFault) in
            try await link.call(CreateTarget.window(url), limit: Self.windowPatience).targetId
        }
    }

    var lastRequest: SuspendingClock.Instant { traffic.lastRequest }

    func limit(to reach: BrowserReach) async throws(BrowserFault) { try await link.call(traffic.limit(to: reach)) }

    func watch(_ addresses: [String]) async throws(BrowserFault) {
        try await link.call(traffic.change { $0.watched = Set(addresses.compactMap(PageAddress.init)) })
    }

    func logOut(at url: String, answer: String, first: Duration, whole: Duration) async -> PageLogOut {
        await HiddenLogOut(link: link, traffic: traffic, url: url, answer: answer).run(first: first, whole: whole)
    }

    func sessionCookies(of url: String) async -> Set<String>? {
        guard let address = PageAddress(url) else { return [] }
        guard let answer = try? await link.call(GetCookies()) else { return nil }
        return Set(answer.cookies.filter { $0.httpOnly && $0.isSent(to: address) }.map(\.name))
    }

    func end(limit: TimeLimit) async -> String? {
        link.close()
        let fault = await confinement.end(limit: limit)
        await link.close(limit: limit)
        return fault
    }
}
